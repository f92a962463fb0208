import { isNotNull, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { holdOpenWork } from '../backups/hold-open-work'
import { customerImportRows, customerImports } from '../store/import-schema'
import { ImportFixture } from '../testing/import-fixture'
import { resumeImport } from './commands'
import { writeImportResult } from './import-record'

const fixture = new ImportFixture()
const lost = { resetBefore: true }
const names = () => fixture.service.customers.map(({ name }) => name)

describe('a line whose reply was lost', () => {
  it.each([
    ['reset', { resetBefore: true }],
    ['answered with 500', { status: 500, body: '{}' }],
    ['answered by a proxy with 502', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['answered with 408', { status: 408, body: '{}' }],
    ['answered with 425', { status: 425, body: '{}' }],
    ['answered by a proxy with 499', { status: 499, body: '' }],
    ['answered with what is no HTTP', { raw: 'nonsense' }],
    ['answered with a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ])('is sent once and found among the customers: %s', async (_, script) => {
    fixture.service.onCreate = (_count, { name }) => (name === 'Ann' ? { script } : {})
    const view = await fixture.run('Name,Number\nAnn,1\nBo,2\n')
    expect(names()).toEqual(['Ann', 'Bo'])
    expect(fixture.service.creations).toHaveLength(2)
    expect(view).toMatchObject({ state: 'done', counts: { created: 2, found: 1, unknown: 0 }, doubts: [] })
    const [ann] = fixture.service.customers
    expect(await writeImportResult(fixture.db, view.importId)).toContain(
      `\r\n2,created (found among the customers),${ann?.id},cu_1,,Ann,1,`,
    )
    const noted = await fixture.noted()
    expect(noted.map(({ action }) => action)).toContain('import.found')
    const counts = { waiting: 0, created: 2, refused: 0, leftOut: 0, unknown: 0, found: 1, held: 0 }
    expect(noted.at(-1)).toMatchObject({ action: 'import.end', details: { fileName: 'a.csv', counts } })
  })

  it('waits for a person when two reads of the whole list do not show it, while the others are created', async () => {
    fixture.service.onCreate = (_, { name }) => (name === 'Ann' ? { script: lost, creates: false } : {})
    const view = await fixture.run('Name,Number\nAnn,1\nBo,2\n')
    expect(names()).toEqual(['Bo'])
    expect(view).toMatchObject({
      state: 'done',
      counts: { created: 1, unknown: 1, held: 1, waiting: 0 },
      doubts: [
        { line: 2, name: 'Ann', number: '1', failure: 'upstream-unreachable', heldFor: 'not-found', candidates: [] },
      ],
    })
    expect(view.doubts[0]?.sentAt).not.toBeNull()
    expect(await writeImportResult(fixture.db, view.importId)).toContain('2,"outcome unknown, needs a decision",')
  })

  it('is never sent again by the same file, by letting the import go on, or by another desk', async () => {
    fixture.service.onCreate = () => ({ script: lost, creates: false })
    const { importId } = await fixture.run('Name\nAnn\n')
    await fixture.run('Name\nAnn\n')
    await fixture.work(await resumeImport(fixture.db, fixture.admin, importId))
    await Promise.all([1, 2].map(async () => fixture.work(await fixture.start('Name\nAnn\n'))))
    expect(fixture.service.creations).toHaveLength(1)
    expect(await fixture.seen(importId)).toMatchObject({ state: 'done', counts: { held: 1 } })
  })

  it('is found by a read that the service answers late, after one that did not show it', async () => {
    fixture.service.onCreate = () => ({ script: lost })
    // The first read precedes the line.
    fixture.service.shows = () => fixture.service.reads.length > 2
    expect(await fixture.run('Name\nAnn\n')).toMatchObject({ state: 'done', counts: { created: 1, found: 1 } })
    expect(fixture.service.reads).toHaveLength(3)
  })

  it('is one of several: four in a row hold the import, and are not sent again when it goes on', async () => {
    fixture.service.onCreate = (count) => (count <= 4 ? { script: lost } : {})
    const text = 'Name,Number\nA,1\nB,2\nC,3\nD,4\nE,5\n'
    const held = await fixture.run(text)
    expect(held).toMatchObject({ state: 'held', problem: 'upstream-unreachable', counts: { waiting: 1, unknown: 4 } })
    const readsBefore = fixture.service.reads.length
    await fixture.work(await resumeImport(fixture.db, fixture.admin, held.importId))
    expect(await fixture.seen(held.importId)).toMatchObject({ state: 'done', counts: { created: 5, found: 4 } })
    expect(names()).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(fixture.service.creations).toHaveLength(5)
    // One read of the list before the fifth line is sent, and one for all four in doubt.
    expect(fixture.service.reads.length - readsBefore).toBe(2)
  })
})

describe('a desk that ends while it sends a line', () => {
  it('leaves a line in doubt, which the next desk looks for and does not send', async () => {
    const row = await fixture.start('Name,Number\nAnn,1\nBo,2\n')
    let letGo = () => {}
    const dying = new Promise<void>((resolve) => (letGo = resolve))
    fixture.service.onCreate = async (count) => (count === 1 ? (await dying, { script: lost, creates: false }) : {})
    const first = fixture.work(row)
    await vi.waitFor(() => expect(fixture.service.creations).toHaveLength(1), 20_000)
    const ann = fixture.service.add({ name: 'Ann', number: '1' })
    // The process is gone: its lease expires, and a restart finds the line as it was.
    await fixture.db.update(customerImports).set({ leaseUntil: new Date(Date.now() - 60_000) })
    await fixture.work(await fixture.find(row.id))
    expect(names()).toEqual(['Ann', 'Bo'])
    expect(await fixture.seen(row.id)).toMatchObject({ state: 'done', counts: { created: 2, found: 1 } })
    letGo()
    await first
    expect(fixture.service.creations).toHaveLength(2)
    const [line] = await fixture.db.select().from(customerImportRows).orderBy(customerImportRows.line)
    expect(line).toMatchObject({ state: 'created', customerId: ann.id, settledBy: 'desk' })
  })

  it('right after the reply leaves one that the log has: it is found in a list that breaks off, too', async () => {
    const file = 'Name,Number\nAnn,1\n'
    await fixture.run(file)
    const before = { state: 'unknown', customerId: null, handle: null, settledBy: null } as const
    await fixture.db.update(customerImportRows).set(before)
    fixture.service.onList = () => ({
      body: JSON.stringify({ results: fixture.service.customers, hasMore: true, nextOffset: null }),
    })
    expect(await fixture.run(file)).toMatchObject({ state: 'done', counts: { created: 1, found: 1, held: 0 } })
    expect(fixture.service.creations).toHaveLength(1)
  })

  it('of an older version leaves one of which nothing is known: only a person can say that a customer is it', async () => {
    const row = await fixture.start('Name\nAnn\n')
    await fixture.db.update(customerImportRows).set({ state: 'unknown' })
    const ann = fixture.service.add({ name: 'Ann' })
    await fixture.work(row)
    expect(fixture.service.creations).toHaveLength(0)
    expect(await fixture.seen(row.id)).toMatchObject({
      counts: { held: 1 },
      doubts: [{ sentAt: null, failure: null, heldFor: 'ambiguous', candidates: [{ id: ann.id }] }],
    })
  })
})

describe('a restored backup', () => {
  const restore = (backupOf: Date) => fixture.db.transaction((tx) => holdOpenWork(tx, backupOf.toISOString()))

  it('holds an import; what was sent since is found, what was not is sent once it is not among the customers', async () => {
    const row = await fixture.start('Name,Number\nAnn,1\nBo,2\nCy,3\n')
    // After the backup Ann was sent; then the store was lost.
    const backupOf = new Date(Date.now() - 60_000)
    const ann = fixture.service.add({ name: 'Ann', number: '1' })
    expect(await restore(backupOf)).toMatchObject({ imports: [{ id: row.id, fileName: 'a.csv', lines: 3 }] })
    expect(await fixture.seen(row.id)).toMatchObject({ state: 'held', problem: 'restored', counts: { unknown: 3 } })
    expect((await fixture.noted()).at(-1)).toMatchObject({ action: 'import.hold', actor: 'command line' })
    await fixture.work(await resumeImport(fixture.db, fixture.admin, row.id))
    expect(names()).toEqual(['Ann', 'Bo', 'Cy'])
    expect(fixture.service.creations).toHaveLength(2)
    expect(await fixture.seen(row.id)).toMatchObject({ state: 'done', counts: { created: 3, found: 1 } })
    const [line] = await fixture.db.select().from(customerImportRows).orderBy(customerImportRows.line)
    expect(line).toMatchObject({ customerId: ann.id, settledBy: 'desk' })
  })

  it('asks a person about a line that a similar customer leaves in doubt', async () => {
    fixture.service.add({ name: 'Ann', number: '1', createdAt: '2020-01-01T00:00:00Z' })
    const row = await fixture.start('Name,Number\nAnn,1\n')
    await restore(new Date())
    await fixture.work(await resumeImport(fixture.db, fixture.admin, row.id))
    const doubt = { failure: 'restored', sentAt: null, heldFor: 'ambiguous' }
    expect(await fixture.seen(row.id)).toMatchObject({ counts: { held: 1 }, doubts: [doubt] })
    expect(fixture.service.creations).toHaveLength(0)
  })

  it('does not send a line whose customer a moving list may have passed over, in both reads', async () => {
    for (let at = 0; at < 150; at += 1) fixture.service.add({ name: `Customer ${at}` })
    const row = await fixture.start('Name,Number\nAnn,1\n')
    const ann = fixture.service.add({ name: 'Ann', number: '1' })
    await restore(new Date())
    const { customers } = fixture.service
    // Between the two pages Ann came to the first, and its last one to the second.
    fixture.service.shows = ({ id }) => id !== ann.id
    fixture.service.onList = ({ path }) =>
      path.includes('after=')
        ? { body: JSON.stringify({ results: [customers[99], ...customers.slice(100, 150)], hasMore: false }) }
        : null
    await fixture.work(await resumeImport(fixture.db, fixture.admin, row.id))
    expect(fixture.service.creations).toHaveLength(0)
    expect(await fixture.seen(row.id)).toMatchObject({ counts: { held: 1 }, doubts: [{ heldFor: 'not-listed' }] })
  })

  it.each([
    ['once', []],
    ['in every order but that of creation, which is proven', ['order:createdAt']],
  ])('finds a customer at the first look in a list that moves %s', async (_, proven) => {
    await fixture.prove(...proven)
    for (let at = 0; at < 150; at += 1) fixture.service.add({ name: `Customer ${at}` })
    const row = await fixture.start('Name,Number\nAnn,1\n')
    const ann = fixture.service.add({ name: 'Ann', number: '1' })
    await restore(new Date(Date.now() - 60_000))
    const { customers } = fixture.service
    let moves = 0
    fixture.service.onList = ({ path }) => {
      const isSecond = path.includes('after=') && !path.includes('orderby=createdAt&')
      if (!isSecond || (proven.length === 0 && moves > 0)) return null
      moves += 1
      return { body: JSON.stringify({ results: [customers[99], ...customers.slice(100, 150)], hasMore: false }) }
    }
    await fixture.work(await resumeImport(fixture.db, fixture.admin, row.id))
    const [line] = await fixture.db.select().from(customerImportRows)
    expect({ moves, ...line }).toMatchObject({ moves: 1, state: 'created', customerId: ann.id, looks: 0 })
  })

  it('looks anew for a line that was held: somebody may have decided to send it since', async () => {
    fixture.service.onCreate = () => ({ script: lost, creates: false })
    const { importId } = await fixture.run('Name,Number\nAnn,1\n')
    fixture.service.add({ name: 'Ann', number: '1' })
    await restore(new Date())
    await fixture.work(await resumeImport(fixture.db, fixture.admin, importId))
    expect(await fixture.seen(importId)).toMatchObject({ state: 'done', counts: { created: 1, found: 1, held: 0 } })
    expect(fixture.service.creations).toHaveLength(1)
  })
})

describe('a customer that is not the line’s', () => {
  it('is one without a number, like the line, and of another name', async () => {
    fixture.service.add({ name: 'Bo', number: '' })
    const row = await fixture.start('Name\nAnn\n')
    await fixture.db.update(customerImportRows).set({ state: 'unknown' })
    await fixture.work(row)
    expect(await fixture.seen(row.id)).toMatchObject({ doubts: [{ heldFor: 'not-found', candidates: [] }] })
  })

  it('is one that was there before, with the same name and number', async () => {
    fixture.service.add({ name: 'Ann', number: '1', createdAt: '2020-01-01T00:00:00Z' })
    // A clock that is ahead proves nothing.
    fixture.service.add({ name: 'Ann', number: '1', createdAt: '2099-01-01T00:00:00Z' })
    fixture.service.onCreate = () => ({ script: lost, creates: false })
    expect(await fixture.run('Name,Number\nAnn,1\n')).toMatchObject({
      counts: { created: 0, held: 1 },
      doubts: [{ heldFor: 'not-found', candidates: [] }],
    })
  })

  it('does not keep the line’s own from being found', async () => {
    fixture.service.add({ name: 'Ann', number: '1', createdAt: '2020-01-01T00:00:00Z' })
    fixture.service.onCreate = () => ({ script: lost })
    expect(await fixture.run('Name,Number\nAnn,1\n')).toMatchObject({ counts: { created: 1, found: 1 } })
    const [line] = await fixture.db.select().from(customerImportRows)
    expect(line?.customerId).toBe(fixture.service.customers[1]?.id)
  })

  it('is one that another line made: two lines alike and one customer are for a person to tell', async () => {
    fixture.service.onCreate = (count) => ({ script: lost, creates: count === 1 })
    const view = await fixture.run('Name\nAnn\nAnn\n')
    expect(view).toMatchObject({ counts: { created: 0, held: 2 } })
    expect(view.doubts.map(({ heldFor, candidates }) => [heldFor, candidates.length])).toEqual([
      ['ambiguous', 1],
      ['ambiguous', 1],
    ])
  })

  it('is one that another line made, whose name is spelled with other accents', async () => {
    fixture.service.onCreate = (count) => ({ script: lost, creates: count === 1 })
    expect(await fixture.run('Name\nZo\u00E9\nZoe\u0301\n')).toMatchObject({ counts: { created: 0, held: 2 } })
  })

  it('is one that another line was answered for', async () => {
    fixture.service.onCreate = (count) => (count === 1 ? { script: lost, creates: false } : {})
    expect(await fixture.run('Name\nAnn\nAnn\n')).toMatchObject({
      counts: { created: 1, held: 1 },
      doubts: [{ line: 2, heldFor: 'not-found', candidates: [] }],
    })
  })
})

describe('a service whose list does not tell', () => {
  it.each([
    ['there is none', { status: 404, body: '{}' }],
    ['the desk may not read it', { status: 403, body: '{}' }],
    ['it fails every time', { status: 500, body: '{}' }],
    ['it is unreadable', { body: '[]' }],
    ['it does not say whether it goes on', { body: '{"results":[]}' }],
  ])('leaves the line to a person: %s', async (_, script) => {
    fixture.service.onList = () => script
    fixture.service.onCreate = (_count, { name }) => (name === 'Ann' ? { script: lost } : {})
    expect(await fixture.run('Name\nAnn\nBo\n')).toMatchObject({
      state: 'done',
      counts: { created: 1, held: 1 },
      doubts: [{ line: 2, heldFor: 'not-listed' }],
    })
    expect(names()).toEqual(['Ann', 'Bo'])
  })

  it('because it shows the same page for ever', async () => {
    fixture.service.onList = () => ({
      body: JSON.stringify({ results: fixture.service.customers, hasMore: true, nextOffset: '1' }),
    })
    fixture.service.onCreate = () => ({ script: lost })
    expect(await fixture.run('Name\nAnn\n')).toMatchObject({ counts: { held: 1 }, doubts: [{ heldFor: 'not-listed' }] })
  })
})

describe('a service that was proven to sort and to filter', () => {
  it('tells the newest customer in one request, and what is newer by its own clock is new', async () => {
    await fixture.prove('order:createdAt')
    for (let index = 0; index < 250; index += 1)
      fixture.service.add({ name: `Customer ${index}`, createdAt: new Date(index * 1_000).toISOString() })
    fixture.service.add({ name: 'Ann', createdAt: '2020-01-01T00:00:00Z' })
    let readsBefore = 0
    fixture.service.onCreate = () => {
      readsBefore = fixture.service.reads.length
      return { script: lost }
    }
    expect(await fixture.run('Name\nAnn\n')).toMatchObject({ counts: { created: 1, found: 1 } })
    expect(readsBefore).toBe(1)
    const [line] = await fixture.db.select().from(customerImportRows)
    expect(line?.customerId).toBe(fixture.service.customers.at(-1)?.id)
  })

  it('is asked for the number of the line, and the list is not read', async () => {
    await fixture.prove('order:createdAt', 'contains:number')
    fixture.service.add({ name: 'Bo', createdAt: '2020-01-01T00:00:00Z' })
    fixture.service.onCreate = () => ({ script: lost })
    expect(await fixture.run('Name,Number\nAnn,1001\n')).toMatchObject({ counts: { created: 1, found: 1 } })
    const paths = fixture.service.reads.map(({ path }) => decodeURIComponent(path.replaceAll('+', ' ')))
    expect(paths).toHaveLength(2)
    expect(paths[1]).toContain("contains(number,'1001')")
  })
})

describe('many lines in doubt', () => {
  const file = `Name,Number\n${Array.from({ length: 250 }, (_, at) => `Customer ${at},N-${at}`).join('\n')}\n`

  /** The lines that were looked for until the import was stopped while the tenth was. */
  async function countLooked(): Promise<number> {
    const row = await fixture.start(file)
    await fixture.db.update(customerImportRows).set({ state: 'unknown' })
    await fixture.db.execute(sql`
      create function stop_import() returns trigger language plpgsql as
        'begin update customer_imports set state = ''stopped''; return null; end'`)
    await fixture.db.execute(
      sql`create trigger stop_import after update on customer_import_rows for each row when (new.line = 10) execute function stop_import()`,
    )
    await fixture.work(row)
    await fixture.db.execute(sql`drop function stop_import cascade`)
    return fixture.db.$count(customerImportRows, isNotNull(customerImportRows.lookedAt))
  }

  it('are looked for under a lease that is renewed, and which ends where the import is stopped', async () => {
    fixture.service.add({ name: 'customer 7', number: 'n-8' })
    expect(await countLooked()).toBe(9)
    const found = await fixture.db.select().from(customerImportRows).where(isNotNull(customerImportRows.lookedAt))
    const named = found.flatMap(({ body, candidates }) => (candidates?.length ? [body['name']] : []))
    expect(named).toEqual(['Customer 7', 'Customer 8'])
  })

  it('are left to a person in the same way where there is no list', async () => {
    fixture.service.onList = () => ({ status: 404, body: '{}' })
    expect(await countLooked()).toBe(9)
  })
})

describe('a line of which no byte went out', () => {
  it('is tried again by itself, and still waits when the import is held', async () => {
    await fixture.service.close()
    expect(await fixture.run('Name\nAnn\n')).toMatchObject({
      state: 'held',
      problem: 'upstream-unreachable',
      counts: { waiting: 1, unknown: 0 },
    })
  })
})
