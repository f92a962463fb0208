import { randomBytes, randomInt } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from './bundle-program.mjs'
import { CommandError, root } from './command.mjs'

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'

/** Four pronounceable words of two syllables, 50 bits: `rafo-timu-keda-bosi`. */
function makePassword() {
  const syllable = () => (consonants[randomInt(consonants.length)] ?? '') + vowels[randomInt(vowels.length)]
  return Array.from({ length: 4 }, () => syllable() + syllable()).join('-')
}

function makeSecrets() {
  return {
    serviceToken: randomBytes(24).toString('base64url'),
    nextAuthSecret: randomBytes(32).toString('base64url'),
    demoPasswords: { admin: makePassword(), support: makePassword(), viewer: makePassword() },
  }
}

/**
 * The secrets of this data folder: the embedded service's token, next-auth's secret, the demo passwords. Created at the
 * first start and stored in `secrets.json`, readable only by its owner.
 */
export function loadOrCreateSecrets(dataDir) {
  const path = `${dataDir}/secrets.json`
  if (!existsSync(path)) {
    // Written aside and renamed, so that an interrupted start leaves no partial file.
    writeFileSync(`${path}.new`, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  chmodSync(path, 0o600)
  try {
    const secrets = JSON.parse(readFileSync(path, 'utf8'))
    if (secrets.serviceToken && secrets.nextAuthSecret && secrets.demoPasswords) return secrets
  } catch {
    // reported below
  }
  throw new CommandError(`${path} cannot be read: delete it, and new secrets are made.`)
}

const roles = ['admin', 'support', 'viewer']

function isLoopback(address) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname)
}

/**
 * The environment of the children: the settings, their secrets, generated once if not set, and the demo sign-ins, which
 * exist only with the embedded service on loopback. Returns { env, token, address, signIns: [{ role, email, password }] }.
 */
export function prepareEnvironment(settings) {
  const address = settings.NEXTAUTH_URL
  const local = isLoopback(address)
  if (!settings.NEXTAUTH_SECRET && !local) {
    throw new CommandError('Setting NEXTAUTH_SECRET is needed when NEXTAUTH_URL is not on this machine.')
  }
  const secrets = loadOrCreateSecrets(settings.DATA_DIR)
  const embedded = !settings.UPSTREAM_URL
  const token = settings.SERVICE_TOKEN ?? secrets.serviceToken
  const signIns =
    embedded && local
      ? roles.map((role) => ({ role, email: `${role}@debitdesk.example`, password: secrets.demoPasswords[role] }))
      : []
  const env = {
    ...process.env,
    HOST: settings.HOST,
    PORT: String(settings.PORT),
    SERVICE_PORT: String(settings.SERVICE_PORT),
    DATA_DIR: settings.DATA_DIR,
    NEXTAUTH_URL: address,
    NEXTAUTH_SECRET: settings.NEXTAUTH_SECRET ?? secrets.nextAuthSecret,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  // The desk gets the embedded service's token only if it uses that service.
  delete env.SERVICE_TOKEN
  delete env.DEMO_SIGN_INS
  if (embedded) env.SERVICE_TOKEN = token
  if (signIns.length > 0) env.DEMO_SIGN_INS = JSON.stringify(signIns)
  return { env, token, address, signIns }
}

const notHere = 'is not on this machine'
const reasons = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: notHere,
}

function tryToListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(reasons[error.code] ?? `cannot be used (${error.code})`))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

/** Browsers, and Node's fetch, block some ports. Nothing listens on the port yet. */
async function tryToCall(port) {
  const error = await fetch(`http://127.0.0.1:${port}`).catch((reason) => reason)
  return error?.cause?.message === 'bad port' ? 'is one that browsers refuse' : null
}

/** Throws a CommandError that names the setting if its port cannot be used on `host`. */
export async function checkPort(setting, port, host = '127.0.0.1') {
  const reason = (await tryToListen(port, host)) ?? (await tryToCall(port))
  if (reason === notHere) throw new CommandError(`Setting HOST must be an address of this machine; ${host} is none.`)
  if (reason) throw new CommandError(`Port ${port} ${reason}: set ${setting} to another one.`)
}

async function importProgram(entry) {
  return import(pathToFileURL(await bundleProgram(entry)).href)
}

async function checkDataDir(folder) {
  const { closeDataFolder } = await importProgram('lib/database/data-folder.ts')
  try {
    closeDataFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (error.name === 'DatabaseRefusal') throw new CommandError(error.message)
    throw new CommandError(`DATA_DIR ${folder} cannot be written to (${error.code}).`)
  }
}

/**
 * Reads the settings from the environment, `.env` beside package.json and the files they name (the environment wins) and
 * checks them by the desk's own rules. `localOrigin` is where the desk answers on this machine. Throws a CommandError with one line per invalid setting.
 */
export async function readSettings() {
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const { parseSettings, inlineSettings, localOrigin } = await importProgram('lib/server/runtime/settings.ts')
  let settings
  try {
    settings = parseSettings(process.env)
  } catch (error) {
    if (!Array.isArray(error.problems)) throw error
    throw new CommandError(error.problems.map((problem) => `Setting ${problem}.`).join('\n'))
  }
  if (!settings.UPSTREAM_URL && settings.PORT === settings.SERVICE_PORT) {
    throw new CommandError(`Setting SERVICE_PORT must differ from PORT; both are ${settings.PORT}.`)
  }
  // The children find everything in their environment.
  inlineSettings(process.env)
  await checkDataDir(settings.DATA_DIR)
  return { ...settings, localOrigin: localOrigin(settings.HOST, settings.PORT) }
}
