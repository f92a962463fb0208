import type { Role } from '@/lib/api-contract/permission'
import type { FactorReset } from './second-factor'

/** Whole seconds until a session ends: `idleLeft` without further requests, `left` in any case. */
export type SessionTimes = { idleLeft: number; left: number }

/** The caller's session: its times, and the role at the merchant of the request. */
export type CurrentSession = SessionTimes & { role: Role }

/** Marks a request that a page sends without user interaction: it does not prolong the session. */
export const backgroundRequestHeader = 'x-debitdesk-quiet'

/**
 * The user whose page sends the request. When somebody else has signed in in this browser since, the request is refused
 * rather than done in their name.
 */
export const pageUserHeader = 'x-debitdesk-user'

/** The page that says who may do what; with `refused=1` it says why it opened. */
export const rolesPath = '/team/roles'

/** `invited`: no password set yet; `provider`: signs in through an identity provider. */
export type MemberState = 'active' | 'invited' | 'provider' | 'disabled'

/** A member of a merchant's team. Timestamps are ISO 8601 in UTC. */
export type TeamMember = {
  userId: string
  email: string
  role: Role
  /** Whether the role comes from the identity provider, which sets it anew at each sign-in. */
  isRoleProvided: boolean
  state: MemberState
  /** Whether they also work for a merchant that the reader doesn't administer: changes of the account are refused. */
  isShared: boolean
  /** A demo user, created anew at each start. */
  demo: boolean
  /** The last request in any session; null before the first. */
  lastSeenAt: string | null
  /** Active sessions. */
  sessions: number
  /** When the latest one-time link expires; null without one. */
  linkUntil: string | null
  /** Whether the account has an app or a passkey. */
  hasFactor: boolean
  /** An open request to reset their second factor; null without one. */
  factorReset: FactorReset | null
  /** What became of the mail with that link; null where it wasn't mailed. */
  linkMail: 'waiting' | 'sent' | 'given-up' | null
}

/** `factorRoles`: the roles whose people need a second factor. */
export type Team = { members: TeamMember[]; factorRoles: Role[] }

/** A one-time link. Shown once: only its hash is stored. `address` is null where it was mailed to its owner. */
export type PasswordLink = { address: string | null; expiresAt: string }

/** `link` is null for a user who already has an account with another merchant of this desk. */
export type Invitation = { userId: string; link: PasswordLink | null }

/** One of the user's own sessions. */
export type OwnSession = {
  sessionId: string
  isCurrent: boolean
  startedAt: string
  lastSeenAt: string
  peer: string | null
  browser: string | null
}

export type OwnSessions = { sessions: OwnSession[] }

/**
 * The purpose of a one-time link that was not used yet and whom it is for. Of an invitation also who made it, null if they asked
 * for it themselves, and the merchants that they may work for.
 */
export type LinkInfo = {
  email: string
  kind: 'invitation' | 'reset'
  expiresAt: string
  madeBy: string | null
  merchants: string[]
}

/** A password reset with a link that somebody else (`madeBy`) created; `at` is ISO 8601. */
export type ResetInfo = { id: string; madeBy: string; at: string }

/** Cookie with the id of the newest password reset that the user confirmed in this browser. */
export const resetCookie = 'debitdesk-known-reset'

/** Path of the page that a one-time link opens. The secret is in the fragment, which is never sent to a server. */
export const passwordLinkPath = '/set-password'
