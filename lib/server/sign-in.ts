import type { Database } from '@/lib/database/open-database'
import { appendActivity } from './activity/append-activity'
import { authenticate, type Credentials } from './authenticate'
import { canonicalEmail } from './canonical-email'
import { startSession } from './session-rows'
import type { SessionClaims } from './session-token'
import { signOut } from './sign-out'
import { defaultConnectionId } from './store/default-connection'

/** What was typed is kept only where it is an address: people also type passwords into that field. */
function nameActor(email: string): string {
  return canonicalEmail(email) ?? 'unknown'
}

/**
 * Signs somebody in: a fresh row of `sessions`, in place of the one that the browser came with, and an
 * entry in the activity log, as for a refusal. Null when the credentials are not right; throws Failure
 * 'too-many-attempts', which is not written down, so that nobody can flood the log.
 */
export async function signIn(
  db: Database,
  credentials: Credentials,
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const account = await authenticate(db, defaultConnectionId, credentials, now)
  const entry = {
    connectionId: defaultConnectionId,
    at: now,
    objectKind: 'session',
    details: { from: credentials.peer },
  }
  if (!account) {
    const refused = { ...entry, actor: nameActor(credentials.email), action: 'session.refused', objectId: 'none' }
    await db.transaction((transaction) => appendActivity(transaction, refused))
    return null
  }
  return db.transaction(async (transaction) => {
    if (previous) await signOut(transaction, previous.sid, now)
    const sid = await startSession(transaction, account.id, now)
    await appendActivity(transaction, { ...entry, actor: account.email, action: 'session.started', objectId: sid })
    return { sub: account.id, sid }
  })
}
