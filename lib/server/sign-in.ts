import type { Database } from '@/lib/database/open-database'
import { appendForUser } from './activity/append-for-user'
import { noteSeldom } from './activity/note-activity'
import { authenticate, type Credentials } from './authenticate'
import { canonicalEmail } from './canonical-email'
import { Failure } from './failure'
import { startSession } from './session-rows'
import type { SessionClaims } from './session-token'
import { signOut } from './sign-out'

/** How far apart two entries about the same lock-out are at least, in milliseconds. */
const lockNoted = 15 * 60_000

/** What was typed is kept only where it is an address: people also type passwords into that field. */
function nameActor(email: string): string {
  return canonicalEmail(email) ?? 'unknown'
}

/**
 * Signs somebody in: a fresh row of `sessions`, in place of the one that the browser came with, and an
 * entry in the activity log of each merchant they work for, as for a refusal. Null when the credentials are not right; throws Failure
 * 'too-many-attempts', which is written down once in 15 minutes for each account and peer, so that nobody can
 * flood the log.
 */
export async function signIn(
  db: Database,
  credentials: Credentials,
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const entry = {
    at: now,
    objectKind: 'session',
    details: { from: credentials.peer },
  }
  const actor = nameActor(credentials.email)
  const refused = { ...entry, person: { email: actor }, actor, action: 'session.refused', objectId: 'none' }
  const account = await authenticate(db, credentials, now).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'too-many-attempts') {
      const key = `locked ${actor} ${credentials.peer}`
      noteSeldom(key, lockNoted, { ...refused, action: 'session.locked-out', outcome: 'refused' }, now.getTime())
    }
    throw error
  })
  if (!account) {
    await db.transaction((transaction) => appendForUser(transaction, refused))
    return null
  }
  return db.transaction(async (transaction) => {
    if (previous) await signOut(transaction, previous.sid, now)
    const sid = await startSession(transaction, account.id, now)
    await appendForUser(transaction, {
      ...entry,
      person: { userId: account.id },
      actor: account.email,
      action: 'session.started',
      objectId: sid,
    })
    return { sub: account.id, sid }
  })
}
