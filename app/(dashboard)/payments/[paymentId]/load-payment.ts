import type { CapabilityProofs } from '@/lib/domain/lists/capabilities'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { isUuid, pickByIdOrHandle } from '@/lib/domain/ids'
import type { Payment } from '@/lib/api-contract/payments'
import { probeCapabilities, readCapabilities } from '@/lib/server/upstream/capabilities'
import { readFirstPage } from '@/lib/server/upstream/page-data'
import type { Session } from '@/lib/server/auth/session'

/** Milliseconds to wait for a capability probe on a cold page. */
const PROBE_TIMEOUT_MS = 1_500

export type LoadedPayment = {
  /** Null if no such payment exists; undefined if the browser must look it up. */
  payment: Payment | null | undefined
  proofs: CapabilityProofs
}

async function readOrProbe(session: Session): Promise<CapabilityProofs> {
  const known = await readCapabilities(session, 'listPayments')
  if ('eq:id' in known) return known
  const probing = probeCapabilities(session, 'listPayments').catch(() => known)
  const timeout = new Promise<CapabilityProofs>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS, known))
  return Promise.race([probing, timeout])
}

/** Loads a payment by a filter on its id, or else on its handle, where these capabilities are proven. Never throws. */
export async function loadPayment(session: Session, name: string): Promise<LoadedPayment> {
  const proofs = await readOrProbe(session)
  for (const field of isUuid(name) ? ['id'] : ['id', 'handle']) {
    if (proofs[`eq:${field}`] !== true) return { payment: undefined, proofs }
    const filter: Filter = { kind: 'compare', field, comparison: 'eq', value: name }
    const first = await readFirstPage(session, 'listPayments', { filter: formatFilter(filter) }, filter)
    // The browser repeats the read, shows the error and can retry.
    if (!first || !('page' in first)) return { payment: undefined, proofs }
    const [payment] = pickByIdOrHandle(first.page.results, name)
    if (payment) return { payment, proofs }
  }
  return { payment: null, proofs }
}
