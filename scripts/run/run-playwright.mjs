import { findChromium } from './find-chromium.mjs'
import { nodeProgram, runTool } from './run-tool.mjs'

/** Runs Playwright with a Chromium that starts; answers as runTool does. */
export async function runPlaywright(args, environment = {}) {
  const { executablePath } = await findChromium()
  const env = { ...process.env, ...environment, CHROMIUM_PATH: executablePath ?? '' }
  return runTool(process.execPath, [nodeProgram('@playwright/test/cli.js'), 'test', ...args], { env, live: true })
}
