import type { Database } from '@/lib/database/open-database'
import { appendForUser } from './activity/append-for-user'
import { noteRefusedSignIn } from './activity/refused-sign-ins'
import { authenticate, type Credentials } from './authenticate'
import { canonicalEmail } from './canonical-email'
import { Failure } from './failure'
import { startSession } from './session-rows'
import type { SessionClaims } from './session-token'
import { signOut } from './sign-out'

/**
 * Signs somebody in: a fresh row of `sessions`, in place of the one that the browser came with, and an entry in the
 * activity log of each merchant they work for. Null when the credentials are not right; throws Failure
 * 'too-many-attempts'. Of what is refused the log tells within bounds (see noteRefusedSignIn).
 */
export async function signIn(
  db: Database,
  credentials: Credentials,
  previous: SessionClaims | null,
  now: Date,
): Promise<SessionClaims | null> {
  const { peer } = credentials
  // What was typed is kept only where it is an address: people also type passwords into that field.
  const refused = { at: now, email: canonicalEmail(credentials.email), peer }
  const account = await authenticate(db, credentials, now).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'too-many-attempts')
      noteRefusedSignIn(db, { ...refused, lockedOut: error.evidence.lockedOut })
    throw error
  })
  if (!account) {
    noteRefusedSignIn(db, refused)
    return null
  }
  return db.transaction(async (transaction) => {
    if (previous) await signOut(transaction, previous.sid, now)
    const sid = await startSession(transaction, account.id, now)
    await appendForUser(transaction, {
      at: now,
      person: { userId: account.id },
      actor: account.email,
      action: 'session.started',
      objectKind: 'session',
      objectId: sid,
      details: { from: peer },
    })
    return { sub: account.id, sid }
  })
}
