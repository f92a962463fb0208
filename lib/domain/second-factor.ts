import * as z from 'zod'
import { roles } from '@/lib/api-contract/permission'
import * as m from '@/lib/messages/m'
import { hasInvisibleCharacters } from './text/invisible-characters'

/** What a person proved beside the password: a code of an app, a passkey, a recovery code, or what the OpenID provider asked for. */
export type ProvenFactor = 'totp' | 'passkey' | 'recovery' | 'provider'

/** What a sign-in still lacks before it counts: a factor the account has, or one that its merchant requires. */
export type FactorDue = 'enter' | 'enrol'

/** An app or passkey of an account. Timestamps are ISO 8601 in UTC. */
export type Authenticator = {
  authenticatorId: string
  kind: 'totp' | 'passkey'
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** Reply of GET /api/second-factor: the sign-in's own second factors. */
export type SecondFactors = {
  email: string
  due: FactorDue | null
  authenticators: Authenticator[]
  /** Recovery codes that were not used yet. */
  recoveryCodes: number
  /** Whether a merchant requires a factor, so that the last one can't be removed. */
  isRequired: boolean
  /** Whether the desk's address allows passkeys: a host name, by https or on this computer. */
  allowsPasskeys: boolean
}

/** Reply to adding a factor: the codes are shown once, and only with the first factor. */
export type AddedFactor = { authenticatorId: string; recoveryCodes: string[] | null }

/** A new secret for an app: `qrCode` is the path of a square SVG, `secret` the same to type in. */
export type TotpSetup = { authenticatorId: string; secret: string; qrCode: { size: number; path: string } }

const name = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((value) => !hasInvisibleCharacters(value), { error: m.requestRules_holdsInvisibleCharacters })
/** Spaces are how apps show them. */
const code = z
  .string()
  .max(20)
  .transform((text) => text.replaceAll(/\s/gu, ''))
/** Checked by the library that verifies it. */
const response = z.looseObject({ id: z.string().max(2_000) })

/** Body of POST /api/second-factor: one proof. */
export const factorProof = z.union([
  z.strictObject({ code }),
  z.strictObject({ recoveryCode: z.string().max(60) }),
  z.strictObject({ passkey: response }),
])
export type FactorProof = z.output<typeof factorProof>

/** Body of PUT /api/second-factor/totp. */
export const totpConfirmation = z.strictObject({ authenticatorId: z.uuid(), name, code })

/** Body of PUT /api/second-factor/passkeys. */
export const passkeyRegistration = z.strictObject({ name, response })

const ruledRoles = z.array(z.enum(roles)).max(roles.length)

/** Body of PUT /api/desk/factor-rule: the roles as they were shown, and as they shall be. */
export const factorRuleChange = z.strictObject({ before: ruledRoles, roles: ruledRoles })
export type FactorRuleChange = z.output<typeof factorRuleChange>

/** The state of a reset of somebody's factors, which a second admin approves. */
export type FactorReset = { requestedBy: string; expiresAt: string; isOwn: boolean }
