import type { Role } from '@/lib/api-contract/permission'

/** How long a sign-in still holds, in whole seconds: without a request, and whatever happens. */
export type SessionTimes = { idleLeft: number; left: number }

/** Of a request that a page makes by itself, without anybody's doing: it does not prolong the sign-in. */
export const backgroundRequestHeader = 'x-debitdesk-quiet'

/** Whose page asks: a browser in which somebody else has signed in since is told so, and nothing is done in their name. */
export const pageUserHeader = 'x-debitdesk-user'

/** `invited` has not set a password yet, `provider` signs in where the account comes from. */
export type MemberState = 'active' | 'invited' | 'provider' | 'disabled'

/** Somebody of a merchant's team. Moments are ISO 8601 in UTC. */
export type TeamMember = {
  userId: string
  email: string
  role: Role
  state: MemberState
  /** A demo sign-in, made anew at each start. */
  demo: boolean
  /** The last request of any sign-in; null before the first. */
  lastSeenAt: string | null
  /** Sign-ins that hold now. */
  sessions: number
  /** Until when the one-time link holds that was made last; null without one. */
  linkUntil: string | null
}

export type Team = { members: TeamMember[] }

/** A one-time link, told once: only a hash of it is kept. */
export type PasswordLink = { address: string; expiresAt: string }

/** Somebody who has an account at another merchant of this desk needs no link. */
export type Invitation = { userId: string; link: PasswordLink | null }

/** One of one's own sign-ins. */
export type OwnSession = {
  sessionId: string
  isCurrent: boolean
  startedAt: string
  lastSeenAt: string
  peer: string | null
  browser: string | null
}

export type OwnSessions = { sessions: OwnSession[] }

/** What a one-time link is for, before it is used. */
export type LinkInfo = { email: string; kind: 'invitation' | 'reset'; expiresAt: string }

/** A password that was reset with a link which somebody else made: its id, whose link, and when in ISO 8601. */
export type ResetInfo = { id: string; madeBy: string; at: string }

/** Holds the id of the newest reset that somebody said was theirs, in this browser. */
export const resetCookie = 'debitdesk-known-reset'

/** The address of the page that a one-time link leads to; the secret stands behind `#`, which is sent to nobody. */
export const passwordLinkPath = '/set-password'
