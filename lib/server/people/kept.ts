import type { Database } from '@/lib/database/database'
import { isUuid } from '@/lib/domain/ids'
import { keptKinds } from '@/lib/domain/kept-kinds'
import type { Erased, KeptAbout, KeptCounts, OpenWork, PersonRequest } from '@/lib/domain/people'
import * as m from '@/lib/messages/m'
import { type ActivityEntry, appendActivity } from '../activity-log/append'
import type { Session } from '../auth/session'
import { announceChanges } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import { activityPlace } from './activity-place'
import { exportPlace, schedulePlace } from './export-places'
import { findPerson, type FoundPerson } from './find-person'
import { importLinePlace, importPlace } from './import-places'
import { bulkPlace, bulkRowPlace, cancellationPlace } from './ledger-places'
import type { Person } from './person'
import type { ErasedStore, Place } from './place'
import { deliveryPlace, notePlace, viewPlace } from './text-places'

/** Everything that may keep a person. The activity log is last: what others do meanwhile adds to it. */
const places: readonly Place[] = [
  notePlace,
  cancellationPlace,
  bulkRowPlace,
  bulkPlace,
  importLinePlace,
  importPlace,
  deliveryPlace,
  viewPlace,
  exportPlace,
  schedulePlace,
  activityPlace,
]

const noCounts = (): KeptCounts => Object.fromEntries(keptKinds.map((kind) => [kind, 0])) as KeptCounts

const sum = (counts: KeptCounts) => Object.values(counts).reduce((total, count) => total + count, 0)

const MAX_OPEN = 20

/** What would be erased, and the unfinished work that forbids it. */
export async function countKept(db: Database, person: Person): Promise<Pick<KeptAbout, 'counts' | 'total' | 'open'>> {
  const counts = noCounts()
  const open = new Map<string, OpenWork>()
  for (const place of places)
    for await (const finding of place.find(db, person)) {
      if (finding.change !== null) counts[place.kind] += 1
      if (finding.open && finding.change !== null) open.set(`${finding.open.kind} ${finding.open.id}`, finding.open)
    }
  return { counts, total: sum(counts), open: [...open.values()].slice(0, MAX_OPEN) }
}

/** What is kept about a person, by kind, and what of it couldn't be erased yet. Throws AppError as `findPerson`. */
export async function showKept(db: Database, session: Session, request: PersonRequest): Promise<KeptAbout> {
  const { person, customer, payments } = await findPerson(session, request)
  return {
    customer: customer && { id: customer.id, name: customer.name, number: customer.number },
    payments,
    searched: [...person.searched],
    tooShort: [...person.tooShort],
    ...(await countKept(db, person)),
  }
}

/** The entry names the customer by id, never by what somebody typed: that may be a name. */
function describeEntry(
  action: 'person.erasing' | 'person.erased' | 'person.exported',
  connectionId: string,
  customerId: string | null,
  details: ActivityEntry['details'],
): ActivityEntry {
  return { connectionId, action, objectKind: 'customer', objectId: customerId ?? 'none', details }
}

const knownId = ({ customer }: Pick<FoundPerson, 'customer'>, request: PersonRequest) =>
  customer?.id ?? (isUuid(request.customer) ? request.customer : null)

/**
 * Erases a person from the merchant's rows and records it, without their data, before and after: it may break off in between. Can be repeated: what somebody writes
 * meanwhile is found the next time. Throws AppError 'conflict' while work is open that needs the data.
 */
export async function eraseKept(
  store: ErasedStore,
  person: Person,
  { actor, customerId, expected }: { actor: string; customerId: string | null; expected: number | null },
): Promise<Erased> {
  const { db } = store
  const kept = await countKept(db, person)
  if (kept.open.length > 0)
    throw new AppError('conflict', { detail: m.people_isStillNeeded(), extensions: { open: kept.open } })
  if (expected !== null && expected !== kept.total)
    throw new AppError('conflict', { detail: m.people_hasChanged({ before: expected, now: kept.total }) })
  const { connectionId } = person
  const begun = { ...describeEntry('person.erasing', connectionId, customerId, { expected: kept.total }), actor }
  await db.transaction((tx) => appendActivity(tx, begun))
  const counts = noCounts()
  let left = 0
  for (const place of places) {
    const result = await place.erase(store, person)
    counts[place.kind] += result.erased
    left += result.left
  }
  await db.transaction(async (tx) => {
    const kinds = ['customer', 'payment', 'cancellation', 'bulk', 'import', 'inbox', 'note'] as const
    await announceChanges(
      tx,
      kinds.map((kind) => ({ connectionId, kind })),
    )
    const details = { erased: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)), left }
    await appendActivity(tx, { ...describeEntry('person.erased', connectionId, customerId, details), actor })
  })
  return { counts, total: sum(counts), left }
}

/** Erases the person of a request. Throws AppError as `findPerson` and `eraseKept`. */
export async function erasePerson(
  store: ErasedStore,
  session: Session,
  { person: request, expected }: { person: PersonRequest; expected: number },
): Promise<Erased> {
  const found = await findPerson(session, request)
  const customerId = knownId(found, request)
  return eraseKept(store, found.person, { actor: session.email, customerId, expected })
}

/** The file's texts: one JSON object with a list per kind, written as it is read. */
export async function* writeKept(
  db: Database,
  person: Person,
  head: Record<string, unknown>,
): AsyncGenerator<string, void, void> {
  yield `{\n"about": ${JSON.stringify(head)}`
  for (const kind of keptKinds) {
    yield `,\n${JSON.stringify(kind)}: [`
    let separator = '\n'
    for (const place of places.filter((one) => one.kind === kind))
      for await (const { shown } of place.find(db, person)) {
        yield `${separator}${JSON.stringify(shown)}`
        separator = ',\n'
      }
    yield ']'
  }
  yield '\n}\n'
}

type ExportRecord = { connectionId: string; customerId: string | null; actor: string }

/** Records that what is kept about a person leaves the desk; before it does. */
export async function recordExport(db: Database, { connectionId, customerId, actor }: ExportRecord): Promise<void> {
  const entry = { ...describeEntry('person.exported', connectionId, customerId, {}), actor }
  await db.transaction((tx) => appendActivity(tx, entry))
}

/** Opens the export of what is kept about a person, after recording it. Throws AppError as `findPerson`. */
export async function exportPerson(
  db: Database,
  session: Session,
  request: PersonRequest,
  now = new Date(),
): Promise<AsyncGenerator<string, void, void>> {
  const found = await findPerson(session, request)
  const { connectionId } = session.scope
  await recordExport(db, { connectionId, customerId: knownId(found, request), actor: session.email })
  const { searched, tooShort } = found.person
  const head = { merchant: connectionId, at: now.toISOString(), by: session.email, searched, tooShort }
  return writeKept(db, found.person, { ...head, atTheProvider: found.customer, payments: found.payments })
}
