import { randomBytes, randomInt } from 'node:crypto'
import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { closeDataFolder } from '../../lib/database/data-folder'
import { DatabaseError } from '../../lib/database/errors'
import {
  inlineSettings,
  localOrigin,
  parseSettings,
  type Settings,
  SettingsError,
} from '../../lib/server/runtime/settings'
import { CommandError, readErrorCode, root } from './command.mjs'

const roles = ['admin', 'support', 'viewer'] as const

type Role = (typeof roles)[number]

type Secrets = { serviceToken: string; nextAuthSecret: string; demoPasswords: Record<Role, string> }

export type SignIn = { role: Role; email: string; password: string }

/** `localOrigin` is where the desk answers on this machine. */
export type StartSettings = Settings & { localOrigin: string }

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'

/** Four pronounceable words of two syllables, 50 bits: `rafo-timu-keda-bosi`. */
function makePassword(): string {
  const syllable = () => (consonants[randomInt(consonants.length)] ?? '') + vowels[randomInt(vowels.length)]
  return Array.from({ length: 4 }, () => syllable() + syllable()).join('-')
}

function makeSecrets(): Secrets {
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
export function loadOrCreateSecrets(dataDir: string): Secrets {
  const path = `${dataDir}/secrets.json`
  if (!existsSync(path)) {
    // Written aside and renamed, so that an interrupted start leaves no partial file.
    writeFileSync(`${path}.new`, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  chmodSync(path, 0o600)
  try {
    const secrets: Partial<Secrets> = JSON.parse(readFileSync(path, 'utf8'))
    const { serviceToken, nextAuthSecret, demoPasswords } = secrets
    if (serviceToken && nextAuthSecret && demoPasswords) return { serviceToken, nextAuthSecret, demoPasswords }
  } catch {
    // reported below
  }
  throw new CommandError(`${path} cannot be read: delete it, and new secrets are made.`)
}

function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname)
}

/**
 * The environment of the children: the settings, their secrets, generated once if not set, and the demo sign-ins, which
 * exist only with the embedded service on loopback.
 */
export function prepareEnvironment(settings: StartSettings): {
  env: NodeJS.ProcessEnv
  token: string
  address: string
  signIns: SignIn[]
} {
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
  const env: NodeJS.ProcessEnv = {
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
const reasons: Record<string, string | undefined> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: notHere,
}

function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => {
      const code = String(readErrorCode(error))
      resolve(reasons[code] ?? `cannot be used (${code})`)
    })
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

/** Browsers, and Node's fetch, block some ports. Nothing listens on the port yet. */
async function tryToCall(port: number): Promise<string | null> {
  const result: unknown = await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error)
  const cause = result instanceof Error ? result.cause : undefined
  return cause instanceof Error && cause.message === 'bad port' ? 'is one that browsers refuse' : null
}

/** Throws a CommandError that names the setting if its port cannot be used on `host`. */
export async function checkPort(setting: string, port: number, host = '127.0.0.1'): Promise<void> {
  const reason = (await tryToListen(port, host)) ?? (await tryToCall(port))
  if (reason === notHere) throw new CommandError(`Setting HOST must be an address of this machine; ${host} is none.`)
  if (reason) throw new CommandError(`Port ${port} ${reason}: set ${setting} to another one.`)
}

function hasSecrets(dataDir: string): boolean {
  const path = `${dataDir}/secrets.json`
  try {
    accessSync(path)
    return true
  } catch (error) {
    const code = readErrorCode(error)
    if (code === 'ENOENT') return false
    throw new CommandError(`${path} cannot be read (${code}).`)
  }
}

/**
 * The environment of a command on the store: with the secret that was generated for it, where one was. Makes nothing: a new
 * secret would open none of what the store holds. Throws a CommandError where there is none.
 */
export function prepareCommand(): NodeJS.ProcessEnv {
  const { NEXTAUTH_SECRET, NEXTAUTH_URL, DATA_DIR } = readGivenSettings()
  if (NEXTAUTH_SECRET) return process.env
  if (!isLoopback(NEXTAUTH_URL) || !hasSecrets(DATA_DIR))
    throw new CommandError(`Setting NEXTAUTH_SECRET is needed: DATA_DIR ${DATA_DIR} has no generated one.`)
  return { ...process.env, NEXTAUTH_SECRET: loadOrCreateSecrets(DATA_DIR).nextAuthSecret }
}

function checkDataDir(folder: string): void {
  try {
    closeDataFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (error instanceof DatabaseError) throw new CommandError(error.message)
    throw new CommandError(`DATA_DIR ${folder} cannot be written to (${readErrorCode(error)}).`)
  }
}

function parseOrRefuse(): Settings {
  try {
    return parseSettings(process.env)
  } catch (error) {
    throw error instanceof SettingsError ? new CommandError(error.lines) : error
  }
}

function readGivenSettings(): Settings {
  if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`)
  const settings = parseOrRefuse()
  // The children find everything in their environment.
  inlineSettings(process.env)
  return settings
}

/**
 * Reads the settings from the environment, `.env` beside package.json and the files they name (the environment wins) and
 * checks them by the desk's own rules. Throws a CommandError with one line per invalid setting.
 */
export function readSettings(): StartSettings {
  const settings = readGivenSettings()
  if (!settings.UPSTREAM_URL && settings.PORT === settings.SERVICE_PORT) {
    throw new CommandError(`Setting SERVICE_PORT must differ from PORT; both are ${settings.PORT}.`)
  }
  checkDataDir(settings.DATA_DIR)
  return { ...settings, localOrigin: localOrigin(settings.HOST, settings.PORT) }
}
