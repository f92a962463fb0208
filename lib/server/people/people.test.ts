import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Database } from '@/lib/database/database'
import { describeSource } from '@/lib/domain/cancellations/bulk-messages'
import type { NoteRequest } from '@/lib/domain/notes'
import type { KeptCounts, PersonRequest } from '@/lib/domain/people'
import { appendActivity } from '../activity-log/append'
import { verifyChain } from '../activity-log/hash-chain'
import type { Session } from '../auth/session'
import { createTenantScope } from '../auth/tenant-scope'
import { startBulk } from '../bulk-cancellations/start-bulk'
import { requestCancellation } from '../cancellations/request-cancellation'
import { startExport } from '../exports/commands'
import { partPurpose } from '../exports/export-parts'
import { createSchedule } from '../exports/schedules'
import { runExport } from '../exports/worker'
import { startImport, stopImport } from '../imports/commands'
import { addNote, deleteNote } from '../notes/notes'
import { saveView } from '../saved-views/saved-views'
import { bulks } from '../store/bulk-schema'
import { decryptSecret } from '../store/encryption'
import { listExportParts } from '../store/export-schema'
import { customerImportRows } from '../store/import-schema'
import { inboxMessages } from '../store/inbox-schema'
import { notes } from '../store/note-schema'
import { activity, cancellations, connections } from '../store/schema'
import { BulkFixture, confirm } from '../testing/bulk-fixture'
import type { ServicePayment } from '../testing/payment-ledger-service'
import { makeSession } from '../testing/store-fixture'
import { bodyPurpose, openInbox } from '../webhooks/inbox'
import { receiveMessage } from '../webhooks/receive-message'
import { countKept, eraseKept, writeKept } from './kept'
import { makePerson } from './person'

const name = 'Åse Nørgård-Holm'
const number = 'K-88412'
const address = 'Strandvejen 17B'
const customerId = 'c7a1f7de-7a8e-4c0a-9c39-0d8f6f0d2b11'
const second = 'm-second'

let fixture: BulkFixture
let db: Database
let session: Session
let own: ServicePayment
let other: ServicePayment

const person = (changes: Partial<PersonRequest> = {}, connectionId = session.scope.connectionId) =>
  makePerson(connectionId, {
    customer: customerId,
    name,
    number,
    addressLine1: address,
    addressLine2: '',
    others: [],
    ids: [own.id],
    ...changes,
  })

const note = (objectId: string, text: string, changes: Partial<NoteRequest> = {}): NoteRequest => ({
  kind: 'payment',
  objectId,
  objectName: 'INV-1',
  text,
  assigneeId: null,
  dueDay: null,
  ...changes,
})

const exportQuery = {
  list: 'listPayments',
  asked: null,
  rest: null,
  order: null,
  columns: ['id', 'customer'],
  zone: 'UTC',
} as const

const seen = ({ amount, currency, status, modifiedAt }: ServicePayment) => ({ amount, currency, status, modifiedAt })

async function waitUntilClosed(): Promise<void> {
  await vi.waitFor(async () => expect(await db.$count(cancellations, sql`closed_at is null`)).toBe(0), {
    timeout: 60_000,
    interval: 50,
  })
}

/** Puts the person into everything that the desk stores, by what people and the service do. */
async function plant(): Promise<void> {
  await addNote(db, session, note(customerId, 'Called twice', { kind: 'customer', objectName: name }))
  await addNote(db, session, note(other.id, `Paid for  ${name.toUpperCase()}, not for himself`))
  const gone = await addNote(db, session, note(other.id, `${number} was wrong`))
  await deleteNote(db, session, gone.noteId)
  await requestCancellation(fixture.ledger, fixture.actor, {
    key: randomUUID(),
    paymentId: own.id,
    reason: 'She moved away',
    seen: seen(own),
  })
  await waitUntilClosed()
  const single = fixture.service.add()
  const view = await fixture.list({
    kind: 'list',
    name: `for ${name}.csv`,
    rows: [
      { given: single.id, reason: `Same household as ${name}` },
      { given: number, reason: null },
    ],
  })
  await startBulk(fixture.ledger, fixture.actor, { bulkId: view.id, given: confirm(view, null) })
  await fixture.watch(view)
  await waitUntilClosed()
  const text = `name,number,address\n${name},${number},"${address}"\nBo Bo,K-1,Bygade 1\n`
  const mapping = { name: 0, number: 1, addressLine1: 2 }
  const imported = await startImport(db, session, { fileName: `${number}.csv`, text, mapping })
  await stopImport(db, session, imported.id)
  const inbox = await openInbox(db, session.scope.connectionId)
  const event = { objectType: 'customer', eventType: 'modified', timeStamp: '2026-11-28T10:00:00Z' }
  for (const data of [
    { id: customerId, name, address },
    { id: randomUUID(), name: 'Bo Bo' },
  ])
    await receiveMessage(
      db,
      inbox,
      new Request(inbox.address, { method: 'POST', body: JSON.stringify({ ...event, data }) }),
    )
  const list = { list: 'payments', isShared: true } as const
  await saveView(db, session, { ...list, name: 'Hers', query: new URLSearchParams({ search: name }).toString() })
  await saveView(db, session, { ...list, name: 'Others', query: 'search=Bo' })
  const filters = { Search: name }
  await createSchedule(db, session, {
    query: { ...exportQuery, filters },
    moving: [],
    times: { rhythm: 'daily', day: 1, hour: 7 },
  })
  await runExport(db, session, await startExport(db, session, { ...exportQuery, filters: {} }))
  await recordOther(db, session.scope.connectionId)
}

async function recordOther(to: Database, connectionId: string): Promise<void> {
  const entry = { connectionId, actor: 'ann@example.com', action: 'x.done', objectKind: 'payment', objectId: 'p' }
  await to.transaction((tx) =>
    appendActivity(tx, { ...entry, details: { text: 'Bo Bo called', deep: [{ more: 'stays' }] } }),
  )
}

/** Every table as text, encrypted texts opened. */
async function dump(where = 'true'): Promise<string> {
  const tables = await db.execute(sql`select tablename from pg_tables where schemaname = 'public' order by 1`)
  const texts: string[] = []
  for (const { tablename } of (tables as { rows: { tablename: string }[] }).rows) {
    const rows = await db.execute(
      sql.raw(`select to_jsonb(t)::text as row from "${tablename}" t where ${where} order by 1`),
    )
    texts.push(...(rows as { rows: { row: string }[] }).rows.map(({ row }) => `${tablename} ${row}`))
  }
  if (where !== 'true') return texts.join('\n')
  for (const { exportId, part, text } of await db.select().from(listExportParts))
    texts.push(`list_export_parts ${decryptSecret(text, partPurpose(exportId, part))}`)
  for (const { connectionId, body } of await db.select().from(inboxMessages))
    texts.push(`inbox_messages ${decryptSecret(body, bodyPurpose(connectionId))}`)
  return texts.join('\n').normalize('NFC').toLowerCase()
}

const findIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => [name, number, address, 'she moved away'].some((value) => line.includes(value.toLowerCase())))

const ofSecond = () => dump(`to_jsonb(t) ->> 'connection_id' = '${second}'`)

async function readExport(about = person()): Promise<Record<string, unknown[]>> {
  let text = ''
  for await (const part of writeKept(db, about, { at: 'now' })) text += part
  return JSON.parse(text) as Record<string, unknown[]>
}

const erase = (expected: number | null = null, about = person()) =>
  eraseKept(fixture.store, about, { actor: 'admin@example.com', customerId, expected })

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_URL = 'http://127.0.0.1:3000'
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  fixture = await BulkFixture.start()
  process.env.UPSTREAM_URL = fixture.service.url
  db = fixture.store.db
  globalThis.debitdeskStore = Promise.resolve(fixture.store)
  session = { ...makeSession('admin'), userId: fixture.actor.userId, email: fixture.actor.email }
  const isHers = ({ id }: ServicePayment) => id === own.id || id === 'named'
  fixture.service.lists.show = (payment) =>
    Object.assign(
      { ...payment },
      { customer: isHers(payment) ? { id: customerId, name } : { id: 'c-2', name: 'Bo Bo' } },
    )
  own = fixture.service.add({ reference: 'INV-1001' })
  other = fixture.service.add()
  await db.insert(connections).values({ connectionId: second, name: 'Second' })
  const elsewhere = { ...session, scope: createTenantScope(second) }
  await addNote(db, elsewhere, note(customerId, `${name}, ${number}, ${address}`, { kind: 'customer' }))
  await saveView(db, elsewhere, { list: 'payments', name, query: '', isShared: true })
  await fixture.work()
  await plant()
}, 300_000)
afterAll(async () => {
  await fixture.rest()
  await fixture.close()
  globalThis.debitdeskStore = undefined
})

let before: KeptCounts

it('knows of every table: one that keeps people needs a place', async () => {
  const document = await readFile('docs/people-data.md', 'utf8')
  const tables = await db.execute(sql`select tablename from pg_tables where schemaname = 'public'`)
  const names = (tables as { rows: { tablename: string }[] }).rows.map(({ tablename }) => tablename)
  expect(names.filter((table) => !document.includes(`\`${table}\``))).toEqual([])
})

it('shows everything that was planted, and exports it', async () => {
  // The store can't hold the first of them.
  const kept = await countKept(db, person({ ids: ['pa_\0', own.id] }))
  before = kept.counts
  expect(kept.open).toEqual([])
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
  const exported = await readExport()
  const text = JSON.stringify(exported)
  for (const value of [name, number, address, 'She moved away']) expect(text).toContain(value)
  expect(text).not.toContain('Bo Bo called')
  expect(Object.keys(exported).length).toBe(10)
})

it('erases nothing while work needs the data, and names it', async () => {
  const open = fixture.service.add()
  await fixture.rest()
  fixture.service.lists.answer = () => ({ status: 503 })
  await db.insert(cancellations).values({
    id: randomUUID(),
    connectionId: session.scope.connectionId,
    paymentId: open.id,
    clientKey: randomUUID(),
    userId: session.userId,
    userEmail: session.email,
    reason: `For ${name}`,
    state: 'unknown',
  })
  const untouched = await dump()
  await expect(erase()).rejects.toMatchObject({
    code: 'conflict',
    evidence: { extensions: { open: [{ kind: 'cancellation', id: open.id }] } },
  })
  expect(await dump()).toBe(untouched)
  await db.execute(sql`update cancellations set state = 'not-cancelled', closed_at = now() where closed_at is null`)
})

it('erases nothing if what is kept is not what was shown', async () => {
  await expect(erase(1)).rejects.toMatchObject({ code: 'conflict' })
})

it('leaves nothing of the person in any table, and everything of others', async () => {
  const elsewhere = await ofSecond()
  const { total } = await countKept(db, person())
  expect(findIn(await dump()).length).toBeGreaterThan(10)
  expect(await verifyChain(db)).toMatchObject({ holds: true, erased: 0 })
  const { counts, left } = await erase(total)
  expect(left).toBe(0)
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
  const after = await dump()
  expect(findIn(after).filter((line) => !line.includes(`"connection_id": "${second}"`))).toEqual([])
  for (const kept of ['bo bo called', 'stays', '"others"', 'bygade 1', '"id":"']) expect(after).toContain(kept)
  expect(await ofSecond()).toBe(elsewhere)
  const [left_] = await db.select().from(notes).where(sql`object_id = ${other.id}`)
  expect(left_?.text).toBe('Paid for  [erased], not for himself')
})

it('keeps the facts: what was cancelled, by whom, with which key and outcome', async () => {
  const [row] = await db.select().from(cancellations).where(sql`payment_id = ${own.id}`)
  expect(row).toMatchObject({
    state: 'cancelled',
    userEmail: fixture.actor.email,
    reason: '[erased]',
    clientKey: expect.any(String),
    seen: seen(own),
  })
  const entries = await db.select().from(activity).where(sql`object_id = ${own.id}`)
  expect(entries.map(({ action }) => action)).toContain('cancellation.intended')
  expect(JSON.stringify(await readExport())).toContain(own.id)
})

it('holds as a chain, still finds what was tampered with, and says who erased how much', async () => {
  const verdict = await verifyChain(db)
  expect(verdict).toMatchObject({ holds: true, rewritten: 0 })
  expect(verdict.holds && verdict.erased).toBeGreaterThan(3)
  const [entry] = await db.select().from(activity).where(sql`action = 'person.erased'`)
  expect(entry).toMatchObject({
    actor: 'admin@example.com',
    objectId: customerId,
    details: { left: 0, erased: { ...before, cancellation: before.cancellation + 1 } },
  })
  await db.execute(sql`alter table activity disable trigger user`)
  const change = (value: string) =>
    db.execute(sql`update activity set details = jsonb_set(details, '{deep,0,more}', to_jsonb(${value}::text))
      where details #>> '{deep,0,more}' is not null`)
  await change('forged')
  expect(await verifyChain(db)).toMatchObject({ holds: false, reason: 'altered' })
  await change('stays')
  await db.execute(sql`alter table activity enable trigger user`)
})

it('can be repeated, and finds what was written meanwhile', async () => {
  expect(await erase(0)).toMatchObject({ total: 0, left: 0 })
  await addNote(db, session, note(other.id, `${name} again`))
  expect(await erase()).toMatchObject({ counts: { note: 1, activity: 1 } })
  expect(await verifyChain(db)).toMatchObject({ holds: true })
})

it('finds lines of an import by any of the numbers and by the name, and leaves a household’s other lines', async () => {
  const lines = [`${name},K-OLD`, 'Å. Nørgård,K-88 411', `Bo Holm,K-2,"${address}"`, 'Bo Bo,K-3']
  const mapping = { name: 0, number: 1, addressLine1: 2 }
  const text = ['name,number,address', ...lines].join('\n')
  const { id } = await startImport(db, session, { fileName: 'again.csv', text, mapping })
  await stopImport(db, session, id)
  await erase(null, person({ others: ['k-88 411'] }))
  const rows = await db.select().from(customerImportRows).where(sql`import_id = ${id}`).orderBy(customerImportRows.line)
  expect(rows.map(({ body }) => body)).toEqual([
    {},
    {},
    expect.objectContaining({ name: 'Bo Holm' }),
    expect.objectContaining({ name: 'Bo Bo' }),
  ])
})

it('leaves lines of an import whose name or number only holds one of the person’s, where both have a number', async () => {
  const lines = [`${name} Jensen,K-9`, 'Åse Bo,K-10', 'Bo,4711-2', 'Åse,K-11', `${name},K-12`]
  const mapping = { name: 0, number: 1 }
  const text = ['name,number', ...lines].join('\n')
  const { id } = await startImport(db, session, { fileName: 'others.csv', text, mapping })
  await stopImport(db, session, id)
  const isLast = sql`import_id = ${id} and body->>'number' = 'K-12'`
  await db.update(customerImportRows).set({ state: 'created' }).where(isLast)
  await erase(null, person({ number: '4711', others: ['Åse'] }))
  const rows = await db.select().from(customerImportRows).where(sql`import_id = ${id}`).orderBy(customerImportRows.line)
  expect(rows.map(({ body }) => body['number'])).toEqual(['K-9', 'K-10', '4711-2', undefined, 'K-12'])
})

it('leaves no part of the person in the name of a list of payments, neither of one whose name was stored cut', async () => {
  fixture.service.lists.answer = () => null
  const payments = [1, 2].map((at) => fixture.service.add({ reference: `Reminder number ${at} for ${name}` }))
  const rows = payments.map(({ id }) => ({ given: id, reason: null }))
  const made = await fixture.list({ kind: 'list', name: null, rows })
  expect(describeSource(made.source)).toBe('Reminder number 1 for Åse Nørg…, Reminder number 2 for Åse Nørg…')
  const cut = await fixture.list({ kind: 'list', name: 'Reminder number 1 for Åse Nørg…, INV-2 +7', rows })
  const uncut = await fixture.list({ kind: 'list', name: '0afe7496…, INV-2 +7', rows })
  await db.update(bulks).set({ state: 'stopped' }).where(sql`state = 'ready'`)
  await erase()
  const names: string[] = []
  for (const bulk of [made, cut, uncut]) names.push(describeSource((await fixture.view(bulk)).source))
  const erased = 'Reminder number 1 for [erased], Reminder number 2 for [erased]'
  expect(names).toEqual([erased, 'Selected or pasted payments', '0afe7496…, INV-2 +7'])
})

it('is in the log also where it breaks off', async () => {
  await addNote(db, session, note(other.id, `${name} once more`))
  await db.execute(sql`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`)
  await db.execute(sql`create trigger fail before update on notes for each row execute function fail()`)
  const erased = await db.$count(activity, sql`action = 'person.erased'`)
  await expect(erase()).rejects.toThrow('update "notes"')
  await db.execute(sql`drop function fail() cascade`)
  const entries = await db.select().from(activity).orderBy(sql`sequence desc`).limit(1)
  expect(entries).toMatchObject([
    { action: 'person.erasing', actor: 'admin@example.com', objectId: customerId, details: { expected: 2 } },
  ])
  expect(await db.$count(activity, sql`action = 'person.erased'`)).toBe(erased)
})
