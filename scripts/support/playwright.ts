import { existsSync, readFileSync } from 'node:fs'
import type { JSONReport } from '@playwright/test/reporter'
import { CommandError, nodeProgram, runTool } from './command.mjs'
import type { Counts } from './vitest'

/** The shell does what journeys need, as Playwright's own does, and takes a quarter less time than the whole browser. */
const systemPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Without a path: Playwright's own. */
export type Chromium = { executablePath: string | undefined }

/** Whether a browser starts; an existing file may lack its libraries. */
async function launches(executablePath: string | undefined): Promise<boolean> {
  const { chromium } = await import('@playwright/test')
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  try {
    const browser = await chromium.launch({ executablePath, args, timeout: 30_000 })
    await browser.close()
    return true
  } catch {
    return false
  }
}

async function findInstalled(): Promise<Chromium | null> {
  if (await launches(undefined)) return { executablePath: undefined }
  for (const executablePath of systemPaths) {
    if (existsSync(executablePath) && (await launches(executablePath))) return { executablePath }
  }
  return null
}

async function installWithPlaywright(): Promise<Chromium | null> {
  console.log('Installing Chromium with Playwright …')
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  const deps = process.getuid?.() === 0 ? ['--with-deps'] : []
  await runTool(process.execPath, [nodeProgram('@playwright/test/cli.js'), 'install', ...deps, 'chromium'], { env })
  return findInstalled()
}

async function installFromSystem(): Promise<Chromium | null> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log("Installing Chromium from the system's packages …")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runTool('apt-get', ['update'], { env })
  for (const name of ['chromium-headless-shell', 'chromium']) {
    const { code } = await runTool('apt-get', ['install', '-y', '--no-install-recommends', name], { env })
    if (code === 0) break
  }
  return findInstalled()
}

/**
 * Finds a Chromium that starts: the one of CHROMIUM_PATH, Playwright's own, the system's, else installs one with
 * Playwright or, as root, from the system's packages. Throws a CommandError if there is none.
 */
export async function findChromium(): Promise<Chromium> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (await launches(named)) return { executablePath: named }
    throw new CommandError(`CHROMIUM_PATH ${named} is not a browser that starts.`)
  }
  const found = (await findInstalled()) ?? (await installWithPlaywright()) ?? (await installFromSystem())
  if (found) return found
  throw new CommandError('No Chromium could be found or installed: set CHROMIUM_PATH to one.')
}

/** Runs Playwright with a Chromium that starts. Returns the same as runTool. */
export async function runPlaywright(args: readonly string[], environment: Record<string, string> = {}) {
  const { executablePath } = await findChromium()
  const env = { ...process.env, ...environment, CHROMIUM_PATH: executablePath ?? '' }
  return runTool(process.execPath, [nodeProgram('@playwright/test/cli.js'), 'test', ...args], { env, live: true })
}

/** The JSON report that a run has written; null if it did not come to that. */
export function readPlaywrightReport(path: string): JSONReport | null {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

/** Passed, failed and skipped tests of that report. */
export function countPlaywright(path: string): Counts {
  const report = readPlaywrightReport(path)
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, skipped } = report.stats
  return { passed: expected, failed: unexpected === 0 ? report.errors.length : unexpected, skipped }
}
