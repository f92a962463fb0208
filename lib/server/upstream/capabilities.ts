import { type Capability, type ListId, type CapabilityProofs, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { hasNothingToJoin, type Probe, type ProbePage, probeCapability, readSample } from './capability-probes'
import { deleteProofRows, readKnownCapabilities, readProofRows, writeProofRows } from './capability-store'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from './call-endpoint'
import type { Session } from '../auth/session'
import { requireOpenStore, requireStore } from '../store/store'

declare global {
  /** The last probe per connection and list; on globalThis because Next loads this module once per graph. */
  var debitdeskProbes: Map<string, { startedAt: number; found: Promise<CapabilityProofs> }> | undefined
}

/** All probes of one list together may take so long. */
const patience = 20_000
/** After so many refused filters the service is not asked for others. */
const mostRefusals = 3
/** A list is probed, and a proof given up, at most once in this time: nobody can make the desk probe without end. */
const rest = 60_000

/** What is known of a list's abilities; nothing where the store cannot be read. */
export async function readCapabilities(session: Session, list: ListId): Promise<CapabilityProofs> {
  try {
    return await readKnownCapabilities(await requireOpenStore(), session.scope.connectionId, list)
  } catch {
    return {}
  }
}

/** Whether an answer may say "not like this". Some services fail over words that they do not know. */
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
  const { results, continuation } = await callEndpoint(session, list, { query, signal, isTrial: true })
  return {
    rows: results.map((row) => ({ ...row })),
    after: continuation.kind === 'more' ? continuation.after : null,
  }
}

/**
 * Tries an ability out; a refusal counts once the service gives its plain list in the same breath and refuses again,
 * for a passing error proves nothing. Throws what decides nothing.
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

/** Probes what is not known yet, one request at a time. Ends early, keeping what it has, when the service falters. */
async function probeList(session: Session, list: ListId, known: CapabilityProofs): Promise<CapabilityProofs> {
  const signal = AbortSignal.timeout(patience)
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
          ...(order && { orderby: formatSortOrder([order]) }),
          ...(after !== undefined && { after }),
        },
        signal,
      )
    const probe: Probe = { list, sample: await readSample(read), read }
    for (const ability of usedCapabilities[list]) {
      if (ability in known) continue
      const isOrder = ability.startsWith('order:')
      if (refusals >= mostRefusals && !isOrder) {
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
      if (holds === 'refused' && !isOrder) refusals += 1
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return found
}

async function proveList(session: Session, list: ListId): Promise<CapabilityProofs> {
  const { connectionId } = session.scope
  const db = await requireStore()
  const known = await readProofRows(db, connectionId, list)
  if (usedCapabilities[list].every((ability) => ability in known)) return known
  const found = await probeList(session, list, known)
  await writeProofRows(db, connectionId, list, found)
  return { ...known, ...found }
}

/**
 * Proves what a list can do beyond paging, as far as that is not known: the desk sends no filter and no
 * order before. Remembered per connection for a day, what is missing for an hour; what could not be decided is tried again after a
 * minute. Whoever asks while a probe is under way waits for the same one. Throws only what the store throws.
 */
export function probeCapabilities(session: Session, list: ListId, now = Date.now()): Promise<CapabilityProofs> {
  const probes = (globalThis.debitdeskProbes ??= new Map())
  const key = `${session.scope.connectionId} ${list}`
  const last = probes.get(key)
  if (last && now - last.startedAt < rest) return last.found
  const found = proveList(session, list)
  probes.set(key, { startedAt: now, found })
  found.catch(() => probes.delete(key))
  return found
}

/** Gives proofs up that an answer contradicted; they are tried again at the next `probeCapabilities`. */
export async function invalidateCapabilities(
  session: Session,
  list: ListId,
  abilities: readonly Capability[],
  now = Date.now(),
): Promise<void> {
  const key = `${session.scope.connectionId} ${list}`
  const last = globalThis.debitdeskProbes?.get(key)
  if (last && now - last.startedAt < rest) return
  const db = await requireStore()
  await deleteProofRows(db, session.scope.connectionId, list, abilities, new Date(now - rest))
  globalThis.debitdeskProbes?.delete(key)
}
