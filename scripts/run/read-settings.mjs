import { mkdirSync, accessSync, constants, existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from './bundle-program.mjs'
import { CommandFailure } from './command-failure.mjs'
import { root } from './root.mjs'

function checkDataDir(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new CommandFailure(`DATA_DIR ${folder} cannot be written to (${error.code}).`)
  }
}

/**
 * Reads the settings from the environment and from `.env` beside package.json (the environment wins)
 * with the desk's own rules. Throws a CommandFailure with one line per setting that is wrong.
 */
export async function readSettings() {
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const { parseSettings } = await import(pathToFileURL(await bundleProgram('lib/server/settings.ts')).href)
  let settings
  try {
    settings = parseSettings(process.env)
  } catch (error) {
    if (!Array.isArray(error.problems)) throw error
    throw new CommandFailure(error.problems.map((problem) => `Setting ${problem}.`).join('\n'))
  }
  if (!settings.UPSTREAM_URL && settings.PORT === settings.SERVICE_PORT) {
    throw new CommandFailure(`Setting SERVICE_PORT must differ from PORT; both are ${settings.PORT}.`)
  }
  checkDataDir(settings.DATA_DIR)
  return settings
}
