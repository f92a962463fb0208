import { accessSync, constants, existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from './bundle-program.mjs'
import { CommandFailure } from './command-failure.mjs'
import { root } from './root.mjs'

async function importProgram(entry) {
  return import(pathToFileURL(await bundleProgram(entry)).href)
}

async function checkDataDir(folder) {
  const { closeDataFolder } = await importProgram('lib/database/data-folder.ts')
  try {
    closeDataFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (error.name === 'DatabaseRefusal') throw new CommandFailure(error.message)
    throw new CommandFailure(`DATA_DIR ${folder} cannot be written to (${error.code}).`)
  }
}

/**
 * Reads the settings from the environment and from `.env` beside package.json (the environment wins)
 * with the desk's own rules. Throws a CommandFailure with one line per setting that is wrong.
 */
export async function readSettings() {
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const { parseSettings } = await importProgram('lib/server/settings.ts')
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
  await checkDataDir(settings.DATA_DIR)
  return settings
}
