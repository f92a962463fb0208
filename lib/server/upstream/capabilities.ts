import { type Capability, type ListId, type CapabilityProofs, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { hasPermission } from '@/lib/api-contract/permission'
import { hasNothingToJoin, isJoin, type Probe, type ProbePage, probeCapability, readSample } from './capability-probes'
import { deleteProofRows, nameList, readKnownCapabilities, readProofRows, writeProofRows } from './capability-store'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from './call-endpoint'
import { getConnection } from './connection'
import type { Session } from '../auth/session'
import { requireOpenStore, requireStore } from '../store/store'

declare global {
  /** The last probe per connection, list and address; on globalThis because Next loads this module once per graph. */
  var debitdeskProbes: Map<string, { startedAt: number; found: Promise<CapabilityProofs> }> | undefined
}

/** For all probes of one list together. */
const PROBE_TIMEOUT_MS = 20_000
/** After this many refused filters in a row no others are tried, except joins of those that were proven. */
const MAX_REFUSALS = 3
/** A list is probed, and a proof invalidated, at most once in this time, so that nobody can trigger endless probing. */
const PROBE_INTERVAL_MS = 60_000

/** A probe is for whoever may export a list too, who may not browse it. What it reads is shown to nobody. */
const PERMISSION = 'export'

/** The known capabilities of a list; none when the store cannot be read. */
export async function readCapabilities(session: Session, list: ListId): Promise<CapabilityProofs> {
  try {
    return await readKnownCapabilities(await requireOpenStore(), getConnection(session.scope.connectionId), list)
  } catch {
    return {}
  }
}

/** Whether an error may mean that the query is unsupported. Some services fail on parameters they don't know. */
function mayBeRefusal(error: unknown): boolean {
  const codes = ['upstream-refused', 'not-found', 'upstream-forbidden', 'upstream-error', 'upstream-bad-reply']
  return error instanceof AppError && codes.includes(error.code)
}

async function readPage(
  session: Session,
  list: ListId,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ProbePage> {
  const how = { isProbe: true, isBackground: true, permission: PERMISSION } as const
  const { results, continuation } = await callEndpoint(session, list, { query, signal, ...how })
  return {
    rows: results.map((row) => ({ ...row })),
    after: continuation.kind === 'more' ? continuation.after : null,
  }
}

/**
 * Probes a capability. A refusal counts only if the plain list is answered right after it and the probe is refused
 * again, which rules out a passing error. Throws errors that decide nothing.
 */
async function probeOrRefuse(
  tryOut: () => Promise<boolean | null>,
  readPlain: () => Promise<unknown>,
): Promise<boolean | null | 'refused'> {
  try {
    return await tryOut()
  } catch (error) {
    if (!mayBeRefusal(error)) throw error
  }
  await readPlain()
  try {
    return await tryOut()
  } catch (error) {
    if (!mayBeRefusal(error)) throw error
    return 'refused'
  }
}

/** Probes unknown capabilities, one request at a time. Stops early, keeping its results, when the service fails. */
async function probeList(session: Session, list: ListId, known: CapabilityProofs): Promise<CapabilityProofs> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  const limit = { limit: '100' }
  const found: Record<Capability, boolean> = {}
  let refusals = 0
  try {
    const read: Probe['read'] = ({ filter, order, after }) =>
      readPage(
        session,
        list,
        {
          ...limit,
          ...(filter && { filter: formatFilter(filter) }),
          ...(order && { orderby: formatSortOrder(order) }),
          ...(after !== undefined && { after }),
        },
        signal,
      )
    const probe: Probe = { list, sample: await readSample(read), read }
    for (const ability of usedCapabilities[list]) {
      if (ability in known) continue
      const isOrder = ability.startsWith('order:')
      if (refusals >= MAX_REFUSALS && !isOrder && !isJoin(ability)) {
        found[ability] = false
        continue
      }
      const all = { ...known, ...found }
      if (all[ability.replace('anycase:', 'contains:')] === false || hasNothingToJoin(list, ability, all)) {
        found[ability] = false
        continue
      }
      const proven = Object.keys(all).filter((name) => all[name])
      const holds = await probeOrRefuse(
        () => probeCapability(probe, ability, proven),
        () => read({}),
      )
      if (holds !== null) found[ability] = holds === true
      if (!isOrder && !isJoin(ability)) refusals = holds === 'refused' ? refusals + 1 : 0
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return found
}

async function proveList(session: Session, list: ListId): Promise<CapabilityProofs> {
  const service = getConnection(session.scope.connectionId)
  const db = await requireStore()
  const known = await readProofRows(db, service, list)
  if (usedCapabilities[list].every((ability) => ability in known)) return known
  const found = await probeList(session, list, known)
  await writeProofRows(db, service, list, found)
  return { ...known, ...found }
}

function nameProbe({ scope: { connectionId } }: Session, list: ListId): string {
  return `${connectionId} ${nameList(getConnection(connectionId), list)}`
}

/**
 * Probes what a list can do beyond paging, as far as that is unknown; the desk sends no filter or order before. Results
 * are kept per connection, a missing capability for an hour and a proven one for a day; undecided ones are probed again
 * after a minute. Concurrent callers share one probe. Throws store errors, and AppError 'forbidden' to who may not export.
 */
export async function probeCapabilities(session: Session, list: ListId, now = Date.now()): Promise<CapabilityProofs> {
  // Others share what is found, so it must not be nothing because of who asked.
  if (!hasPermission(session.role, PERMISSION)) throw new AppError('forbidden')
  const probes = (globalThis.debitdeskProbes ??= new Map())
  const key = nameProbe(session, list)
  const last = probes.get(key)
  if (last && now - last.startedAt < PROBE_INTERVAL_MS) return last.found
  const found = proveList(session, list)
  probes.set(key, { startedAt: now, found })
  found.catch(() => probes.delete(key))
  return found
}

/** The known capabilities of a list; it is probed first where one of `needed` is unknown. Throws as `probeCapabilities`. */
export async function proveCapabilities(
  session: Session,
  list: ListId,
  needed: readonly Capability[],
): Promise<CapabilityProofs> {
  const known = await readCapabilities(session, list)
  return needed.every((capability) => capability in known) ? known : probeCapabilities(session, list)
}

/** Drops proofs that a reply contradicted; the next `probeCapabilities` probes them again. */
export async function invalidateCapabilities(
  session: Session,
  list: ListId,
  abilities: readonly Capability[],
  now = Date.now(),
): Promise<void> {
  const key = nameProbe(session, list)
  const last = globalThis.debitdeskProbes?.get(key)
  if (last && now - last.startedAt < PROBE_INTERVAL_MS) return
  const db = await requireStore()
  await deleteProofRows(
    db,
    getConnection(session.scope.connectionId),
    list,
    abilities,
    new Date(now - PROBE_INTERVAL_MS),
  )
  globalThis.debitdeskProbes?.delete(key)
}
