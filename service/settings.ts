import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { isPostgresUrl } from '@/lib/database/postgres-url'

const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be from 1 to 65535')
  .max(65_535, 'must be from 1 to 65535')

/** Exact pairs only: a wildcard would open the network behind the service to every merchant. In lower case, as hosts of addresses are read. */
const callbacks = z
  .string()
  .transform((value) => value.split(',').map((pair) => pair.trim().toLowerCase()))
  .pipe(
    z.array(z.string().regex(/^[\w.-]+:\d{1,5}$|^[\da-f:.]+:\d{1,5}$/iu, 'must be host:port pairs without wildcards')),
  )

const shape = z.object({
  SERVICE_PORT: port.default(4010),
  SERVICE_HOST: z.string().default('127.0.0.1'),
  SERVICE_TOKEN: z
    .string('is needed')
    .min(16, 'must have at least 16 characters')
    .regex(/^[^:\s]*$/u, 'must not hold a colon or a space'),
  /** Encrypts the secrets in the database. Unset: a key in DATA_DIR. */
  SERVICE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SERVICE_DATABASE_URL: z
    .string()
    .refine(
      isPostgresUrl,
      'must be a postgres:// address, with characters such as / # ? @ % in the password percent-encoded',
    )
    .optional(),
  DATA_DIR: z.string().default('.data'),
  /** The desk's port. Its inbox may receive callbacks although it is on loopback. */
  PORT: port.default(3000),
  /** Further `host:port` pairs for callbacks, comma-separated. */
  SERVICE_CALLBACKS: callbacks.default([]),
  SERVICE_CONTROL_PORT: port.optional(),
  SERVICE_REQUESTS_PER_MINUTE: z.coerce.number('must be a number').int('must be a whole number').min(1).default(6_000),
  SERVICE_WRONG_CREDENTIALS_PER_MINUTE: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1)
    .default(100),
  /** Speed of the service's clock: 1 is real time, 0 stands still until the control port moves it. */
  SERVICE_CLOCK: z.coerce.number('must be a number').min(0, 'must not be negative').max(1_000_000).default(1),
  SEED_PAYMENTS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0)
    .max(1_000_000, 'must be at most 1,000,000')
    .default(2_000),
  /** Milliseconds from an accepted cancellation to its effect. */
  SERVICE_CANCEL_DELAY: z.coerce
    .number('must be a number of milliseconds')
    .int('must be a whole number')
    .min(0)
    .max(3_600_000)
    .default(1_500),
})

export type ServiceSettings = z.output<typeof shape>

/** The names of all settings, for the test of the documentation. */
export const serviceSettingNames: readonly string[] = Object.keys(shape.shape)

/** Missing or invalid settings, one per line with the name and the rule, never the value. */
export class ServiceSettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ServiceSettingsError'
  }
}

/** `NAME_FILE` names a file that holds the value. */
const secretNames = ['SERVICE_TOKEN', 'SERVICE_SECRET', 'SERVICE_DATABASE_URL']

function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ServiceSettingsError([`${name}_FILE names a file that cannot be read (${code})`])
  }
}

/** Parses the service's settings and reads files of secrets; empty strings count as unset. Throws ServiceSettingsError. */
export function parseServiceSettings(environment: Record<string, string | undefined>): ServiceSettings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  for (const name of secretNames) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) throw new ServiceSettingsError([`${name}_FILE and ${name} are both set: unset one`])
    given[name] = readSecretFile(name, path)
  }
  const read = shape.safeParse(given)
  if (read.success) return read.data
  throw new ServiceSettingsError(read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
}
