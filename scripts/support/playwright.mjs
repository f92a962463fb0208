import { existsSync } from 'node:fs'
import { CommandError, nodeProgram, runTool } from './command.mjs'

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Whether a browser starts; an existing file may lack its libraries. */
async function launches(executablePath) {
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

async function findInstalled() {
  if (await launches(undefined)) return { executablePath: undefined }
  for (const executablePath of systemPaths) {
    if (existsSync(executablePath) && (await launches(executablePath))) return { executablePath }
  }
  return null
}

async function installWithPlaywright() {
  console.log('Installing Chromium with Playwright …')
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' }
  const deps = process.getuid?.() === 0 ? ['--with-deps'] : []
  await runTool(process.execPath, [nodeProgram('@playwright/test/cli.js'), 'install', ...deps, 'chromium'], { env })
  return findInstalled()
}

async function installFromSystem() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log("Installing Chromium from the system's packages …")
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runTool('apt-get', ['update'], { env })
  await runTool('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env })
  return findInstalled()
}

/**
 * Finds a Chromium that starts: the one of CHROMIUM_PATH, Playwright's own, the system's, else installs one with
 * Playwright or, as root, from the system's packages. `executablePath` is undefined for Playwright's own. Throws a
 * CommandError if there is none.
 */
export async function findChromium() {
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
export async function runPlaywright(args, environment = {}) {
  const { executablePath } = await findChromium()
  const env = { ...process.env, ...environment, CHROMIUM_PATH: executablePath ?? '' }
  return runTool(process.execPath, [nodeProgram('@playwright/test/cli.js'), 'test', ...args], { env, live: true })
}
