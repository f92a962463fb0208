import { and, eq, gt, inArray, isNull, notExists, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from '@/lib/database/database'
import { alreadyEndedReasons } from '@/lib/domain/cancellations/current-cancellation'
import { cancellations, idKeyOf } from '../store/schema'

/** Excludes rows superseded by a later cancellation of the same payment (see `supersedes` in lib/domain/cancellations/current-cancellation.ts). */
export function isNotTakenOver(db: Database): SQL {
  const later = alias(cancellations, 'later')
  return notExists(
    db
      .select({ id: later.id })
      .from(later)
      .where(
        and(
          eq(later.connectionId, cancellations.connectionId),
          eq(idKeyOf(later.paymentId), idKeyOf(cancellations.paymentId)),
          gt(later.createdAt, cancellations.createdAt),
          or(
            isNull(later.closedAt),
            inArray(later.state, ['cancelled', 'needs-person']),
            inArray(later.outcomeReason, alreadyEndedReasons),
          ),
        ),
      ),
  )
}
