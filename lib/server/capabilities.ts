import { type Ability, type ListId, type Proofs, usedAbilities } from '@/lib/contract/ability'
import { formatFilter, formatOrder } from '@/lib/contract/filter'
import { hasNothingToJoin, type Probe, type ProbeRow, probeAbility } from './capabilities/probe-ability'
import { deleteProofRows, readProofRows, writeProofRows } from './capabilities/proof-rows'
import { Failure } from './failure'
import { perform } from './perform'
import { RememberWhileStill } from './remember-while-still'
import type { Session } from './session'
import { requireOpenStore, requireStore } from './store/require-store'

declare global {
  /** The last probe per connection and list; on globalThis because Next loads this module once per graph. */
  var debitdeskProbes: Map<string, { startedAt: number; found: Promise<Proofs> }> | undefined
}

/** All probes of one list together may take so long. */
const patience = 20_000
/** After so many refused filters the service is not asked for others. */
const mostRefusals = 3
/** A list is probed, and a proof given up, at most once in this time: nobody can make the desk probe without end. */
const rest = 60_000

const remembered = new RememberWhileStill<Proofs>()

/** What is known of a list's abilities from the last day, or a little longer where nothing is written meanwhile; nothing where the store cannot be read. */
export async function readProofs(session: Session, list: ListId): Promise<Proofs> {
  try {
    const { db, countWrites } = await requireOpenStore()
    const { connectionId } = session.scope
    return await remembered.read(`${connectionId} ${list}`, countWrites, () => readProofRows(db, connectionId, list))
  } catch {
    return {}
  }
}

/** Whether an answer says "not like this", and so decides the matter, or only "not now". */
function isRefusal(error: unknown): boolean {
  return error instanceof Failure && ['upstream-refused', 'not-found', 'upstream-forbidden'].includes(error.code)
}

async function readRows(
  session: Session,
  list: ListId,
  query: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ProbeRow[]> {
  const { results } = await perform(session, list, { query, signal, isTrial: true })
  return results.map((row) => ({ ...row }))
}

/** Some services fail over words that they do not know. They do, if they give their plain list right after. */
async function failsOverWords(error: unknown, readPlain: () => Promise<unknown>): Promise<boolean> {
  if (!(error instanceof Failure) || !['upstream-error', 'upstream-bad-reply'].includes(error.code)) return false
  return readPlain().then(
    () => true,
    () => false,
  )
}

/** Probes what is not known yet, one request at a time. Ends early, keeping what it has, when the service falters. */
async function probeList(session: Session, list: ListId, known: Proofs): Promise<Proofs> {
  const signal = AbortSignal.timeout(patience)
  const limit = { limit: '100' }
  const found: Record<Ability, boolean> = {}
  let refusals = 0
  try {
    const probe: Probe = {
      list,
      sample: await readRows(session, list, limit, signal),
      read: ({ filter, order }) =>
        readRows(
          session,
          list,
          {
            ...limit,
            ...(filter && { filter: formatFilter(filter) }),
            ...(order && { orderby: formatOrder([order]) }),
          },
          signal,
        ),
    }
    for (const ability of usedAbilities[list]) {
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
      try {
        const holds = await probeAbility(
          probe,
          ability,
          Object.keys(all).filter((name) => all[name]),
        )
        if (holds !== null) found[ability] = holds
      } catch (error) {
        if (!isRefusal(error) && !(await failsOverWords(error, () => readRows(session, list, limit, signal))))
          throw error
        found[ability] = false
        if (!isOrder) refusals += 1
      }
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return found
}

async function proveList(session: Session, list: ListId): Promise<Proofs> {
  const { connectionId } = session.scope
  const db = await requireStore()
  const known = await readProofRows(db, connectionId, list)
  if (usedAbilities[list].every((ability) => ability in known)) return known
  const found = await probeList(session, list, known)
  await writeProofRows(db, connectionId, list, found)
  return { ...known, ...found }
}

/**
 * Proves what a list can do beyond paging, as far as that is not known: the desk sends no filter and no
 * order before. Remembered per connection for a day; what could not be decided is tried again after a
 * minute. Whoever asks while a probe is under way waits for the same one. Throws only what the store throws.
 */
export function proveAbilities(session: Session, list: ListId, now = Date.now()): Promise<Proofs> {
  const probes = (globalThis.debitdeskProbes ??= new Map())
  const key = `${session.scope.connectionId} ${list}`
  const last = probes.get(key)
  if (last && now - last.startedAt < rest) return last.found
  const found = proveList(session, list)
  probes.set(key, { startedAt: now, found })
  found.catch(() => probes.delete(key))
  return found
}

/** Gives proofs up that an answer contradicted; they are tried again at the next `proveAbilities`. */
export async function doubtAbilities(
  session: Session,
  list: ListId,
  abilities: readonly Ability[],
  now = Date.now(),
): Promise<void> {
  const key = `${session.scope.connectionId} ${list}`
  const last = globalThis.debitdeskProbes?.get(key)
  if (last && now - last.startedAt < rest) return
  const db = await requireStore()
  await deleteProofRows(db, session.scope.connectionId, list, abilities, new Date(now - rest))
  globalThis.debitdeskProbes?.delete(key)
}
