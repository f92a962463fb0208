import type { Database } from '@/lib/database/open-database'
import { appendActivity } from '../activity/append-activity'
import type { Session } from '../session'

/** Writes down what an admin did to somebody of the team; last in its transaction. */
export async function noteMember(
  tx: Database,
  session: Session,
  action: string,
  email: string,
  details: Record<string, string>,
  now: Date,
): Promise<void> {
  await appendActivity(tx, {
    connectionId: session.scope.connectionId,
    at: now,
    actor: session.email,
    action,
    objectKind: 'user',
    objectId: email,
    details,
  })
}
