import { resolve } from 'node:path'
import * as z from 'zod'
// Relative, not '@/': the start script reads this file too, from whatever folder it was called in.
import {
  cutOffs,
  days,
  demoSignIns,
  duration,
  hasCredential,
  hostAddress,
  httpUrl,
  isLoopback,
  isOpenHost,
  list,
  logFields,
  localOrigin,
  mailSender,
  oneOf,
  port,
  postgresUrl,
  serviceUrl,
  signingSecret,
  smtpUrl,
  velocity,
  wholeNumber,
  word,
  zone,
} from './setting-types'
import { noProxies, parseTrustedProxies } from './peer-address'
import { refuseOpenDesk } from './open-desk'
import { gatherSettings, inlineSettingFiles } from './setting-sources'

const shape = z
  .object({
    UPSTREAM_URL: serviceUrl.optional(),
    UPSTREAM_AUTH: oneOf(['basic', 'bearer', 'header', 'client-credentials', 'session', 'none']).default('basic'),
    UPSTREAM_TOKEN: word.optional(),
    UPSTREAM_HEADER: word.regex(/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/u, 'must be a header name').default('X-Api-Key'),
    UPSTREAM_TOKEN_URL: httpUrl.optional(),
    UPSTREAM_CLIENT_ID: word.optional(),
    UPSTREAM_CLIENT_SECRET: word.optional(),
    UPSTREAM_SCOPE: word.optional(),
    UPSTREAM_AUDIENCE: word.optional(),
    OIDC_ISSUER: httpUrl
      .refine((value) => !/[?#]/u.test(value), 'must be the issuer alone, without a query')
      .refine(
        (value) => !URL.canParse(value) || value.startsWith('https:') || isLoopback(value),
        'must begin with https://',
      )
      .optional(),
    OIDC_CLIENT_ID: word.optional(),
    OIDC_CLIENT_SECRET: word.optional(),
    OIDC_ROLE_CLAIM: word.default('roles'),
    // As the provider writes them: `acr` and `amr` values are case-sensitive.
    OIDC_FACTOR: z
      .string()
      .transform((value) => value.split(/[\s,]+/u).filter(Boolean))
      .prefault(''),
    PASSWORDS: oneOf(['on', 'off']).default('on'),
    UPSTREAM_AMOUNTS: oneOf(['minor', 'hundredths', 'major']).default('minor'),
    UPSTREAM_CANCELLABLE: list('Pending'),
    UPSTREAM_CANCELLED: list('Cancelled'),
    UPSTREAM_FINAL: list('Settled,Rejected,Chargeback'),
    CANCEL_GRACE: duration.default(15_000),
    CANCEL_VELOCITY: velocity.prefault('20/10m'),
    API_TOKEN_RATE: wholeNumber(1, 6_000).default(120),
    SCHEME_ZONE: zone.default('Europe/Copenhagen'),
    CANCEL_CUTOFF: cutOffs.default('*=1@16:00'),
    ACTIVITY_KEY: signingSecret.optional(),
    ACTIVITY_HEADS_URL: httpUrl
      .refine((value) => !hasCredential(value), 'must not hold a name or a password: no head could be sent there')
      .optional(),
    ACTIVITY_HEADS_EVERY: duration.default(5 * 60_000),
    KEEP_BULKS: days(90),
    KEEP_IMPORTS: days(90),
    KEEP_EXPORTS: days(1),
    // Recorded verbatim in the activity log, hence no credentials.
    BREACHED_PASSWORDS_URL: httpUrl
      .refine(
        (value) => !/[?#@]/u.test(value),
        'must be the address alone, without a name, a password, a query or a fragment',
      )
      .optional(),
    SMTP_URL: smtpUrl.optional(),
    MAIL_FROM: mailSender.optional(),
    DATABASE_URL: postgresUrl.optional(),
    SERVICE_DATABASE_URL: postgresUrl.optional(),
    DATA_DIR: word.default('.data').transform((value) => resolve(value)),
    HOST: hostAddress.default('127.0.0.1'),
    PORT: port.default(3000),
    SERVICE_PORT: port.default(4010),
    LOG_LEVEL: oneOf(['debug', 'info', 'warn']).default('info'),
    LOG_REDACT: logFields.prefault(''),
    METRICS_TOKEN: z
      .string()
      .min(32, 'must have at least 32 characters')
      .regex(/^[\x21-\x7e]+$/u, 'must be of printable ASCII characters, without spaces')
      .optional(),
    // Read by the exporter from the environment, as its other OTEL_EXPORTER_OTLP_ variables.
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
    OTEL_EXPORTER_OTLP_HEADERS: z
      .string()
      .regex(
        /^\s*[^\s=,]+=[^,]*(,\s*[^\s=,]+=[^,]*)*$/u,
        'must be such as authorization=Bearer%20token, comma-separated',
      )
      .optional(),
    OTEL_SERVICE_NAME: word.default('debitdesk'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number('must be a number')
      .min(0, 'must be from 0 to 1')
      .max(1, 'must be from 0 to 1')
      .default(1),
    MAX_CONNECTIONS: wholeNumber(16, 65_535).default(1_024),
    KEEP_ALIVE: duration
      .refine((value) => value >= 1_000 && value <= 60 * 60_000, 'must be from 1 s to 60 m')
      .default(125_000),
    NEXTAUTH_URL: httpUrl
      .refine((value) => {
        const { pathname, search, hash, username, password } = URL.canParse(value)
          ? new URL(value)
          : new URL('http://x')
        return pathname === '/' && `${search}${hash}${username}${password}` === ''
      }, 'must be the address of the desk alone, without a path')
      .optional(),
    NEXTAUTH_SECRET: signingSecret.optional(),
    NEXTAUTH_SECRET_PREVIOUS: signingSecret.optional(),
    HSTS_SUBDOMAINS: oneOf(['no', 'yes']).default('no'),
    TRUSTED_PROXIES: z
      .string()
      .transform((value, context) => {
        const read = parseTrustedProxies(value)
        if (read) return read
        context.addIssue({
          code: 'custom',
          message: 'must be a number of proxies, or their addresses, comma-separated, or none',
        })
        return z.NEVER
      })
      .optional(),
    DESK_ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
    DESK_ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
    DEMO_SIGN_INS: demoSignIns.optional(),
    SERVICE_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
    SEED_PAYMENTS: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0, 'must not be negative')
      .max(1_000_000, 'must be at most 1,000,000')
      .default(2_000),
  })
  .superRefine((values, context) => {
    const fault = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
    const needsToken = values.UPSTREAM_URL && ['basic', 'bearer', 'header'].includes(values.UPSTREAM_AUTH)
    if (needsToken && !values.UPSTREAM_TOKEN)
      fault('UPSTREAM_TOKEN', `is needed for UPSTREAM_AUTH=${values.UPSTREAM_AUTH}`)
    if (values.NEXTAUTH_SECRET_PREVIOUS && values.NEXTAUTH_SECRET_PREVIOUS === values.NEXTAUTH_SECRET)
      fault('NEXTAUTH_SECRET_PREVIOUS', 'must be another than NEXTAUTH_SECRET')
    if (values.ACTIVITY_KEY && [values.NEXTAUTH_SECRET, values.NEXTAUTH_SECRET_PREVIOUS].includes(values.ACTIVITY_KEY))
      fault('ACTIVITY_KEY', 'must be another than NEXTAUTH_SECRET and the one before it')
    const { NEXTAUTH_URL: address, HOST: host } = values
    const isOpen = isOpenHost(host)
    if (values.DEMO_SIGN_INS && values.UPSTREAM_URL)
      fault('DEMO_SIGN_INS', 'is for the embedded service alone: unset it')
    else if (values.DEMO_SIGN_INS && address && !isLoopback(address) && !isOpen)
      fault('DEMO_SIGN_INS', 'is for a desk on this machine alone: unset it')
    if (isOpen) for (const [name, problem] of refuseOpenDesk(values)) fault(name, problem)
    // The desk speaks plain HTTP, so such an address is served by a proxy; if it isn't declared, all visitors share one
    // peer and lock each other out.
    if (address?.startsWith('https:') && (isOpen || !isLoopback(address)) && !values.TRUSTED_PROXIES)
      fault(
        'TRUSTED_PROXIES',
        'is needed beside a public https NEXTAUTH_URL: the number of proxies before the desk, their addresses, or none',
      )
    if (values.UPSTREAM_URL && values.UPSTREAM_AUTH === 'client-credentials')
      for (const name of ['UPSTREAM_TOKEN_URL', 'UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET'] as const)
        if (!values[name]) fault(name, 'is needed for UPSTREAM_AUTH=client-credentials')
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
      if ((values.OIDC_ISSUER || values.OIDC_CLIENT_ID || values.OIDC_CLIENT_SECRET) && !values[name])
        fault(name, 'is needed beside the other OIDC settings')
    if (values.PASSWORDS === 'off' && !values.OIDC_ISSUER)
      fault('PASSWORDS', 'may be off only beside OIDC_ISSUER: nobody could sign in')
    if (values.UPSTREAM_AUTH === 'session')
      for (const name of ['UPSTREAM_URL', 'OIDC_ISSUER'] as const)
        if (!values[name]) fault(name, 'is needed for UPSTREAM_AUTH=session')
    for (const name of ['SMTP_URL', 'MAIL_FROM'] as const)
      if ((values.SMTP_URL || values.MAIL_FROM) && !values[name]) fault(name, 'is needed to send mail')
    if (Boolean(values.DESK_ADMIN_EMAIL) !== Boolean(values.DESK_ADMIN_PASSWORD))
      fault(
        values.DESK_ADMIN_EMAIL ? 'DESK_ADMIN_PASSWORD' : 'DESK_ADMIN_EMAIL',
        'is needed beside the other DESK_ADMIN setting',
      )
  })
  .transform(({ TRUSTED_PROXIES = noProxies, NEXTAUTH_URL, ...values }) => ({
    ...values,
    TRUSTED_PROXIES,
    NEXTAUTH_URL: NEXTAUTH_URL ?? localOrigin(values.HOST, values.PORT),
  }))

export { localOrigin }

export type Settings = z.output<typeof shape>

/** The names of all settings, for the documents that list them. */
export const settingNames: readonly string[] = Object.keys(shape.in.shape)

/** Missing or invalid settings; `message` has one line per setting, with its name and the rule. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'SettingsError'
  }

  /** For people: one line per setting. */
  get lines(): string {
    return this.problems.map((problem) => `Setting ${problem}.`).join('\n')
  }
}

/** The demo sign-ins are made by the start script, never written by people. */
const fileNames = settingNames.filter((name) => name !== 'DEMO_SIGN_INS')

/**
 * Parses the settings from an environment and the files it names; empty strings count as unset. Throws SettingsError with every invalid
 * setting; values, which may be secret, are never part of the message.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const { values, origins, problems } = gatherSettings(environment, fileNames)
  if (problems.length > 0) throw new SettingsError(problems)
  const read = shape.safeParse(values)
  if (read.success) return read.data
  throw new SettingsError(
    read.error.issues.map(({ path, message }) => {
      const name = path.join('.') || 'settings'
      const origin = origins.get(name)
      return `${name}${origin === undefined ? '' : ` (${origin})`} ${message}`
    }),
  )
}

/** Where the desk listens, without a look at other settings or at files of secrets. Throws ZodError. */
export function readAddress(environment: Record<string, string | undefined>): Pick<Settings, 'HOST' | 'PORT'> {
  const { HOST, PORT } = shape.in.shape
  return z.object({ HOST, PORT }).parse(gatherSettings(environment, fileNames, []).values)
}

/** Puts what files of settings and secrets say into the environment in their place. Returns the problems, which parseSettings reports, too. */
export function inlineSettings(environment: Record<string, string | undefined>): string[] {
  return inlineSettingFiles(environment, fileNames)
}

/**
 * The secrets under which sessions, marks and sealed texts are valid: the current one, used for all new ones, then the
 * previous one while it is set.
 */
export function listSecrets({
  NEXTAUTH_SECRET,
  NEXTAUTH_SECRET_PREVIOUS,
}: Pick<Settings, 'NEXTAUTH_SECRET' | 'NEXTAUTH_SECRET_PREVIOUS'>): string[] {
  return [NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS].filter((secret) => secret !== undefined)
}

declare global {
  /**
   * One per process. Next loads this module once per graph, and before that .env and its relatives into the environment
   * again, with a `$` in a value expanded.
   */
  var debitdeskSettings: Settings | undefined
}

/** The settings of this process, parsed once. */
export function getSettings(): Settings {
  return (globalThis.debitdeskSettings ??= parseSettings(process.env))
}
