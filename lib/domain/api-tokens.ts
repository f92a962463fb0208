import * as z from 'zod'
import { type Role, roles } from '@/lib/api-contract/permission'
import * as m from '@/lib/messages/m'

/*
 * Tokens with which scripts use the API of the dashboard (docs/automation.md). Requests and replies of
 * `/api/desk/tokens` and `/api/desk/team/tokens`.
 */

/** A token by what may be shown and logged of it. */
export type ApiTokenReference = { id: string; name: string }

/** How many days a token may live. */
export const tokenLifetimes = [7, 30, 90, 365] as const

/** Signs that quote or separate are left out: in the activity log the name stands in quotes before its owner's e-mail. */
const namePattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:/#-]*$/u

/** Body of POST /api/desk/tokens. */
export const apiTokenRequest = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, { error: m.apiTokens_nameIsMissing })
    .max(60, { error: m.apiTokens_nameIsTooLong })
    .regex(namePattern, { error: m.apiTokens_nameHoldsOtherSigns }),
  role: z.enum(roles),
  days: z.int().refine((days) => tokenLifetimes.some((one) => one === days), { error: m.apiTokens_isNoLifetime }),
})
export type ApiTokenRequest = z.output<typeof apiTokenRequest>

/** Timestamps are ISO 8601 in UTC. */
export type ApiTokenView = {
  id: string
  name: string
  /** The beginning of the token's text, which is not secret. */
  prefix: string
  /** As made; a person whose role is less now passes on no more than that. */
  role: Role
  /** Whose it is. */
  email: string
  state: 'valid' | 'expired' | 'revoked'
  createdAt: string
  expiresAt: string
  /** At most a minute old while it is used; null before the first time. */
  lastUsedAt: string | null
  revokedAt: string | null
  revokedBy: string | null
}

/** Reply of GET /api/desk/tokens. `roles` and `lifetimes` are what a new token of the person may have. */
export type OwnApiTokens = {
  tokens: ApiTokenView[]
  roles: Role[]
  lifetimes: number[]
  /** Whether tokens can't be made here at all: the provider is called with each person's own sign-in. */
  isImpossible: boolean
}

/** Reply of GET /api/desk/team/tokens. */
export type TeamApiTokens = { tokens: ApiTokenView[] }

/** Reply of POST /api/desk/tokens. `text` is the token, which is shown only now. */
export type MadeApiToken = { text: string; token: ApiTokenView }
