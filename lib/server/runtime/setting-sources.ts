import { readFileSync } from 'node:fs'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'

type Values = Record<string, string>
type Environment = Record<string, string | undefined>

/** Names the YAML or JSON file that holds settings, beside the environment. */
export const fileSetting = 'DEBITDESK_CONFIG'

/** Settings that are secrets or contain one: NAME_FILE names a file that holds the value. */
export const secretSettings = [
  'UPSTREAM_TOKEN',
  'UPSTREAM_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
  'ACTIVITY_KEY',
  'NEXTAUTH_SECRET',
  'NEXTAUTH_SECRET_PREVIOUS',
  'DESK_ADMIN_PASSWORD',
  'SMTP_URL',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'DATABASE_URL',
  'SERVICE_DATABASE_URL',
  'SERVICE_TOKEN',
] as const

const secretFile = (name: string) => `${name}_FILE`

/** What all sources say. `origins` has the place of each value that is not from the environment itself. */
export type GatheredSettings = { values: Values; origins: ReadonlyMap<string, string>; problems: string[] }

class Gathering implements GatheredSettings {
  readonly values: Values = {}
  readonly origins = new Map<string, string>()
  readonly problems: string[] = []
}

const readReasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
}

/** The text of a file, or why it cannot be read. */
function readText(path: string): { text: string } | { reason: string } {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { reason: readReasons[code] ?? `cannot be read (${code})` }
  }
}

/** Every scalar as it is written: 0123 stays text, and `yes` and `off` are words of ours. */
const yamlOptions = { schema: 'failsafe' } as const

/** Reads the file's settings into `found`. Its problems name the file and the line, never a value. */
function readSettingsFile(path: string, names: readonly string[], found: Gathering): void {
  const read = readText(path)
  if ('reason' in read) {
    found.problems.push(`${fileSetting}: ${path} ${read.reason}`)
    return
  }
  const lines = new LineCounter()
  const document = parseDocument(read.text, { ...yamlOptions, lineCounter: lines })
  const place = (offset: number) => `${path}, line ${lines.linePos(offset).line}`
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) {
    const rule = fault.code === 'DUPLICATE_KEY' ? 'names a setting twice' : `is not YAML or JSON (${fault.code})`
    found.problems.push(`${fileSetting}: ${place(fault.pos[0])}, ${rule}`)
    return
  }
  if (document.contents === null) return
  if (!isMap(document.contents)) {
    found.problems.push(`${fileSetting}: ${path} must hold lines such as PORT: 3000`)
    return
  }
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const origin = place(isScalar(key) ? (key.range?.[0] ?? 0) : 0)
    if (!names.includes(name)) {
      found.problems.push(`${name || 'without a name'} (${origin}) does not exist`)
    } else if (!isScalar(value) || value.tag !== undefined) {
      found.problems.push(`${name} (${origin}) must be a single value`)
    } else if (value.type === 'PLAIN' && /^(?:null|~)$/iu.test(String(value.value))) {
      found.problems.push(`${name} (${origin}) must have a value: leave the line out for the default`)
    } else if (String(value.value).trim() !== '') {
      found.values[name] = String(value.value)
      found.origins.set(name, origin)
    }
  }
}

/** Replaces NAME_FILE by NAME with what the file holds. The path is not named: people put the secret itself there. */
function readSecretFile(name: string, found: Gathering): void {
  const setting = secretFile(name)
  const path = found.values[setting]
  if (path === undefined) return
  delete found.values[setting]
  const from = found.origins.get(setting)
  const label = from === undefined ? setting : `${setting} (${from})`
  if (found.values[name] !== undefined) {
    found.problems.push(`${label} and ${name} are both set: unset one`)
    return
  }
  const read = readText(path)
  if ('reason' in read) {
    found.problems.push(`${label} names a file that ${read.reason}`)
    return
  }
  const text = read.text.replace(/[\r\n]+$/u, '')
  if (text.trim() === '') found.problems.push(`${label} names a file that is empty`)
  else if (/[\r\n]/u.test(text)) found.problems.push(`${label} names a file with more than one line`)
  else {
    found.values[name] = text
    found.origins.set(name, `from ${setting}`)
  }
}

/** Whether the environment has a setting, as itself or as the name of a file. */
function isGiven(name: string, values: Values): boolean {
  const plain = name.replace(/_FILE$/u, '')
  return values[plain] !== undefined || values[secretFile(plain)] !== undefined
}

/**
 * Collects the settings from the environment, from the file at DEBITDESK_CONFIG, whose keys are `names` and the files of
 * secrets, and from the files of `secrets`. The environment wins over the file; blank values count as unset.
 */
export function gatherSettings(
  environment: Environment,
  names: readonly string[],
  secrets: readonly string[] = secretSettings,
): GatheredSettings {
  const found = new Gathering()
  const given: Values = {}
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && value.trim() !== '') given[name] = value
  const path = given[fileSetting]
  if (path !== undefined) {
    readSettingsFile(path, [...names, ...secretSettings.map(secretFile)], found)
    for (const name of Object.keys(found.values)) {
      if (!isGiven(name, given)) continue
      delete found.values[name]
      found.origins.delete(name)
    }
  }
  delete given[fileSetting]
  Object.assign(found.values, given)
  for (const name of secrets) readSecretFile(name, found)
  return found
}

/**
 * Puts what the files say into an environment in their place, for child processes and everything that reads it later.
 * Returns the problems, which parseSettings reports, too.
 */
export function inlineSettingFiles(environment: Environment, names: readonly string[]): string[] {
  const { values, problems } = gatherSettings(environment, names)
  for (const name of [fileSetting, ...secretSettings.map(secretFile)]) delete environment[name]
  Object.assign(environment, values)
  return problems
}
