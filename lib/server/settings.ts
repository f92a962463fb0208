import { resolve } from 'node:path'
import * as z from 'zod'
// Relative, not '@/': the start script reads this file too, from whatever folder it was called in.
import { roles } from '../contract/permission'
import { readCutOffRules } from '../format/cut-off'
import { noProxies, readTrustedProxies } from './trusted-proxies'

const word = z.string().trim().min(1, 'must not be empty')

function list(fallback: string) {
  return word.default(fallback).transform((value) =>
    value
      .split(',')
      .map((state) => state.trim().toLowerCase())
      .filter(Boolean),
  )
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

const port = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be from 1 to 65535')
  .max(65_535, 'must be from 1 to 65535')
const httpUrl = word.refine(
  (value) => URL.canParse(value) && /^https?:$/u.test(new URL(value).protocol),
  'must be an http or https address',
)

/** `15s`, `15 s`, `1500ms`, `2m` or a bare number of seconds, as milliseconds. */
const duration = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?\s*(ms|s|m)?$/u, 'must be a duration such as 15 s')
  .transform((value) => {
    const unit = value.replace(/[\d.\s]/gu, '')
    return Number.parseFloat(value) * (unit === 'ms' ? 1 : unit === 'm' ? 60_000 : 1_000)
  })

/** `20/10m`: so many within a duration. Null for `off`. */
const velocity = z
  .string()
  .trim()
  .regex(/^(?:off|[1-9]\d{0,4}\s*\/\s*\d{1,4}\s*[sm])$/u, 'must be such as 20/10m, or off')
  .transform((value) => {
    const [count = '', within = ''] = value.split('/')
    return value === 'off' ? null : { count: Number(count), within: duration.parse(within) }
  })

const zone = word.refine((value) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}, 'must be an IANA time zone such as Europe/Copenhagen')

/** Kept as text, which is what the pages read it from. */
const cutOffs = word.refine(
  (value) => readCutOffRules(value) !== null,
  'must be rules such as nets-bs=8@16:00,*=1@16:00',
)

/** How long something is kept, in whole days. */
const days = (fallback: number) =>
  z.coerce
    .number('must be a number of days')
    .int('must be a whole number of days')
    .min(1, 'must be from 1 to 3650')
    .max(3_650, 'must be from 1 to 3650')
    .default(fallback)

const signIns = z.array(z.strictObject({ role: z.enum(roles), email: z.email(), password: z.string().min(8) })).min(1)

/** The demo sign-ins, as JSON: `[{ role, email, password }]`. Made by the start script, never by people. */
const demoSignIns = z.string().transform((value, context): z.output<typeof signIns> => {
  try {
    return signIns.parse(JSON.parse(value))
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON list of { role, email, password }' })
    return z.NEVER
  }
})

/** A secret that was copied from somewhere, or typed by a tired hand. */
function isSample(secret: string): boolean {
  return (
    new Set(secret).size < 10 ||
    /change.?me|replace.?(?:me|this)|your.?secret|example|password|0123456789/iu.test(secret)
  )
}

/** Whether an address is on this machine. */
function isLoopback(address: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname)
}

const signingSecret = z
  .string()
  .min(32, 'must have at least 32 characters')
  .refine((value) => value.length < 32 || !isSample(value), 'must be random: this is a sample or repeats itself')

const shape = z
  .object({
    UPSTREAM_URL: httpUrl.optional(),
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
    UPSTREAM_AMOUNTS: oneOf(['minor', 'hundredths', 'major']).default('minor'),
    UPSTREAM_CANCELLABLE: list('Pending'),
    UPSTREAM_CANCELLED: list('Cancelled'),
    UPSTREAM_FINAL: list('Settled,Rejected,Chargeback'),
    CANCEL_GRACE: duration.default(15_000),
    CANCEL_VELOCITY: velocity.prefault('20/10m'),
    SCHEME_ZONE: zone.default('Europe/Copenhagen'),
    CANCEL_CUTOFF: cutOffs.default('*=1@16:00'),
    KEEP_BULKS: days(90),
    KEEP_IMPORTS: days(90),
    KEEP_EXPORTS: days(1),
    BREACHED_PASSWORDS_URL: httpUrl.optional(),
    DATABASE_URL: word.optional(),
    SERVICE_DATABASE_URL: word.optional(),
    DATA_DIR: word.default('.data').transform((value) => resolve(value)),
    PORT: port.default(3000),
    SERVICE_PORT: port.default(4010),
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
        const read = readTrustedProxies(value)
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
    const needsToken = values.UPSTREAM_URL && ['basic', 'bearer', 'header'].includes(values.UPSTREAM_AUTH)
    if (needsToken && !values.UPSTREAM_TOKEN) {
      context.addIssue({
        code: 'custom',
        path: ['UPSTREAM_TOKEN'],
        message: `is needed for UPSTREAM_AUTH=${values.UPSTREAM_AUTH}`,
      })
    }
    if (values.NEXTAUTH_SECRET_PREVIOUS && values.NEXTAUTH_SECRET_PREVIOUS === values.NEXTAUTH_SECRET) {
      context.addIssue({
        code: 'custom',
        path: ['NEXTAUTH_SECRET_PREVIOUS'],
        message: 'must be another than NEXTAUTH_SECRET',
      })
    }
    if (values.DEMO_SIGN_INS && values.UPSTREAM_URL) {
      context.addIssue({
        code: 'custom',
        path: ['DEMO_SIGN_INS'],
        message: 'is for the embedded service alone: unset it',
      })
    } else if (values.DEMO_SIGN_INS && values.NEXTAUTH_URL && !isLoopback(values.NEXTAUTH_URL)) {
      context.addIssue({
        code: 'custom',
        path: ['DEMO_SIGN_INS'],
        message: 'is for a desk on this machine alone: unset it',
      })
    }
    // The desk listens on loopback: whoever reaches it by such an address comes through a proxy, and without its word all
    // visitors are one peer, who lock each other out.
    const { NEXTAUTH_URL: address } = values
    if (address?.startsWith('https:') && !isLoopback(address) && !values.TRUSTED_PROXIES) {
      context.addIssue({
        code: 'custom',
        path: ['TRUSTED_PROXIES'],
        message:
          'is needed beside a public https NEXTAUTH_URL: the number of proxies before the desk, their addresses, or none',
      })
    }
    if (values.UPSTREAM_URL && values.UPSTREAM_AUTH === 'client-credentials') {
      for (const name of ['UPSTREAM_TOKEN_URL', 'UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET'] as const) {
        if (!values[name])
          context.addIssue({ code: 'custom', path: [name], message: 'is needed for UPSTREAM_AUTH=client-credentials' })
      }
    }
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
      if ((values.OIDC_ISSUER || values.OIDC_CLIENT_ID || values.OIDC_CLIENT_SECRET) && !values[name])
        context.addIssue({ code: 'custom', path: [name], message: 'is needed beside the other OIDC settings' })
    }
    if (values.UPSTREAM_AUTH === 'session') {
      for (const name of ['UPSTREAM_URL', 'OIDC_ISSUER'] as const) {
        if (!values[name])
          context.addIssue({ code: 'custom', path: [name], message: 'is needed for UPSTREAM_AUTH=session' })
      }
    }
    if (Boolean(values.DESK_ADMIN_EMAIL) !== Boolean(values.DESK_ADMIN_PASSWORD)) {
      const missing = values.DESK_ADMIN_EMAIL ? 'DESK_ADMIN_PASSWORD' : 'DESK_ADMIN_EMAIL'
      context.addIssue({ code: 'custom', path: [missing], message: 'is needed beside the other DESK_ADMIN setting' })
    }
  })
  .transform(({ TRUSTED_PROXIES = noProxies, ...values }) => ({ ...values, TRUSTED_PROXIES }))

export type Settings = z.output<typeof shape>

/** A setting that is missing or wrong; `message` is one line per setting, naming it and the rule. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'SettingsError'
  }
}

/**
 * Reads the settings from an environment; empty strings count as unset. Throws SettingsError with every
 * setting that is wrong; values are never part of the message, for some are secrets.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const read = shape.safeParse(given)
  if (read.success) return read.data
  throw new SettingsError(read.error.issues.map((issue) => `${issue.path.join('.') || 'settings'} ${issue.message}`))
}

/**
 * The secrets whose sessions, marks and sealed texts hold: that of today, with which all new ones are made, then the
 * one before it while it is set.
 */
export function listSecrets({
  NEXTAUTH_SECRET,
  NEXTAUTH_SECRET_PREVIOUS,
}: Pick<Settings, 'NEXTAUTH_SECRET' | 'NEXTAUTH_SECRET_PREVIOUS'>): string[] {
  return [NEXTAUTH_SECRET, NEXTAUTH_SECRET_PREVIOUS].filter((secret) => secret !== undefined)
}

let settings: Settings | undefined

/** The settings of this process, parsed once. */
export function getSettings(): Settings {
  settings ??= parseSettings(process.env)
  return settings
}
