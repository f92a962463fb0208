import type { Proofs } from '@/lib/contract/ability'
import { formatFilter } from '@/lib/contract/filter'
import { pickById } from '@/lib/contract/ids'
import type { Payment } from '@/lib/contract/payments'
import { proveAbilities, readProofs } from '@/lib/server/capabilities'
import { readFirstPage } from '@/lib/server/first-page'
import type { Session } from '@/lib/server/session'

/** So long the reader of a cold page waits for the service to be tried out (milliseconds). */
const patience = 1_500

export type LoadedPayment = {
  /** Null when the service has none of this id; undefined when the browser has to look for it. */
  payment: Payment | null | undefined
  proofs: Proofs
}

async function readOrProve(session: Session): Promise<Proofs> {
  const known = await readProofs(session, 'listPayments')
  if ('eq:id' in known) return known
  const proving = proveAbilities(session, 'listPayments').catch(() => known)
  const giveUp = new Promise<Proofs>((resolve) => setTimeout(resolve, patience, known))
  return Promise.race([proving, giveUp])
}

/** Looks a payment up by a filter on its id, where the service was proven to know that. Never throws. */
export async function loadPayment(session: Session, id: string): Promise<LoadedPayment> {
  const proofs = await readOrProve(session)
  if (proofs['eq:id'] !== true) return { payment: undefined, proofs }
  const filter = formatFilter({ kind: 'compare', field: 'id', comparison: 'eq', value: id })
  const first = await readFirstPage(session, 'listPayments', { filter })
  // A failure is met again by the browser, which shows it and can retry.
  if (!first || !('page' in first)) return { payment: undefined, proofs }
  return { payment: pickById(first.page.results, id)[0] ?? null, proofs }
}
