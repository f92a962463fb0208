import { isIP } from 'node:net'
import * as z from 'zod'
// Relative, not '@/': the start script reads the settings too, from whatever folder it was called in.
import { isPostgresUrl } from '@/lib/database/postgres-url'
import { roles } from '@/lib/api-contract/permission'
import { isTimeZone } from '@/lib/domain/dates/time-zone'
import { parseCutOffRules } from '@/lib/domain/cancellations/cut-off'

/* Schemas of single settings. Their messages state the rule, never the value. */

export const word = z.string().trim().min(1, 'must not be empty')

export function list(fallback: string) {
  return word.default(fallback).transform((value) =>
    value
      .split(',')
      .map((state) => state.trim().toLowerCase())
      .filter(Boolean),
  )
}

/** Fields of log lines that lead to a person. */
const personalFields = ['peer', 'peers', 'userId', 'path']

export const logFields = z
  .string()
  .transform((value) => value.split(/[\s,]+/u).filter(Boolean))
  .refine(
    (fields) => fields.every((field) => personalFields.includes(field)),
    `must be some of ${personalFields.join(', ')}`,
  )

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`)
}

export function wholeNumber(from: number, to: number) {
  const isWhole = 'must be a whole number'
  const isWithin = `must be from ${from} to ${to}`
  return z.coerce.number(isWhole).int(isWhole).min(from, isWithin).max(to, isWithin)
}

export const port = wholeNumber(1, 65_535)
export const httpUrl = word.refine(
  (value) => URL.canParse(value) && /^https?:$/u.test(new URL(value).protocol),
  'must be an http or https address',
)

/** May hold a password. */
export const postgresUrl = word.refine(
  isPostgresUrl,
  'must be such as postgres://user:password@host/database, with characters such as / # ? @ % in the password percent-encoded',
)

/** Whether an address holds a name or a password. */
export function hasCredential(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return `${username}${password}` !== ''
}

/** The base address of a service. */
export const serviceUrl = httpUrl
  .refine((value) => !hasCredential(value), 'must not hold a credential: use UPSTREAM_TOKEN')
  .refine((value) => !/[?#]/u.test(value), 'must not hold a query or a fragment')

/** `15s`, `15 s`, `1500ms`, `2m` or a bare number of seconds, as milliseconds. */
export const duration = z
  .string()
  .trim()
  .regex(/^\d+(\.\d+)?\s*(ms|s|m)?$/u, 'must be a duration such as 15 s')
  .transform((value) => {
    const unit = value.replace(/[\d.\s]/gu, '')
    return Number.parseFloat(value) * (unit === 'ms' ? 1 : unit === 'm' ? 60_000 : 1_000)
  })

/** `20/10m`: a count within a duration. Null for `off`. */
export const velocity = z
  .string()
  .trim()
  .regex(/^(?:off|[1-9]\d{0,4}\s*\/\s*\d{1,4}\s*[sm])$/u, 'must be such as 20/10m, or off')
  .transform((value) => {
    const [count = '', within = ''] = value.split('/')
    return value === 'off' ? null : { count: Number(count), within: duration.parse(within) }
  })

export const zone = word.refine(isTimeZone, 'must be an IANA time zone such as Europe/Copenhagen')

/** Kept as text, which the pages parse. */
export const cutOffs = word.refine(
  (value) => parseCutOffRules(value) !== null,
  'must be rules such as nets-bs=8@16:00,*=1@16:00',
)

/** A retention time in whole days. */
export const days = (fallback: number) =>
  z.coerce
    .number('must be a number of days')
    .int('must be a whole number of days')
    .min(1, 'must be from 1 to 3650')
    .max(3_650, 'must be from 1 to 3650')
    .default(fallback)

const signIns = z.array(z.strictObject({ role: z.enum(roles), email: z.email(), password: z.string().min(8) })).min(1)

/** The demo sign-ins, as JSON: `[{ role, email, password }]`. Written by the start script, never by people. */
export const demoSignIns = z.string().transform((value, context): z.output<typeof signIns> => {
  try {
    return signIns.parse(JSON.parse(value))
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON list of { role, email, password }' })
    return z.NEVER
  }
})

/** Whether a secret looks copied from an example or typed in. */
function isSample(secret: string): boolean {
  return (
    new Set(secret).size < 10 ||
    /change.?me|replace.?(?:me|this)|your.?secret|example|password|0123456789/iu.test(secret)
  )
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(new URL(address).hostname)
}

const isHost = (value: string) => value === 'localhost' || (isIP(value) !== 0 && !value.includes('%'))

/** What a server listens on. */
export const hostAddress = word.refine(
  isHost,
  'must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
)

const isEveryAddress = (host: string) => /^(?:0\.0\.0\.0|[0:]+)$/u.test(host)

/** The origin of a server that listens on `host`, as seen from this machine. */
export function localOrigin(host: string, at: number): string {
  const reached = isEveryAddress(host) ? (isIP(host) === 6 ? '::1' : '127.0.0.1') : host
  return `http://${isIP(reached) === 6 ? `[${reached}]` : reached}:${at}`
}

/** Whether others on the network reach a server that listens on `host`. */
export function isOpenHost(host: string): boolean {
  return isHost(host) && (isEveryAddress(host) || !isLoopback(localOrigin(host, 80)))
}

export const signingSecret = z
  .string()
  .min(32, 'must have at least 32 characters')
  .refine((value) => value.length < 32 || !isSample(value), 'must be random: this is a sample or repeats itself')

/** A mail server: where it is, whether TLS comes first, and who signs in there. */
export type MailServer = { host: string; port: number; secure: boolean; auth: { user: string; pass: string } | null }

/** Throws URIError for what isn't percent-encoded text. */
function parseMailServer(value: string): MailServer | null {
  if (!URL.canParse(value)) return null
  const { protocol, hostname, port: given, username, password, pathname, search, hash } = new URL(value)
  const secure = protocol === 'smtps:'
  if (
    !['smtp:', 'smtps:'].includes(protocol) ||
    hostname === '' ||
    `${pathname.replace('/', '')}${search}${hash}` !== ''
  )
    return null
  if ((username === '') !== (password === '')) return null
  const auth = username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  const host = hostname.replace(/^\[(.*)\]$/u, '$1')
  return { host, port: given === '' ? (secure ? 465 : 587) : Number(given), secure, auth }
}

/** `smtp://` (STARTTLS) or `smtps://`, with a user and a password or with neither. */
export const smtpUrl = word.transform((value, context): MailServer => {
  try {
    const server = parseMailServer(value)
    if (server) return server
  } catch {
    // Told as below.
  }
  context.addIssue({ code: 'custom', message: 'must be such as smtps://user:password@mail.example.com:465' })
  return z.NEVER
})

/** `desk@example.com` or `Debitdesk <desk@example.com>`. */
export const mailSender = word.transform((value, context): { name: string; address: string } => {
  const [, name = '', named] = /^([^<>\p{Cc}"]*)<([^<>]+)>$/u.exec(value) ?? []
  const address = z.email().safeParse(named ?? value)
  if (address.success) return { name: name.trim(), address: address.data }
  context.addIssue({ code: 'custom', message: 'must be such as Debitdesk <debitdesk@example.com>' })
  return z.NEVER
})
