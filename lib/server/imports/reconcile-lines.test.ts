import { describe, expect, it, vi } from 'vitest'
import { customerImportRows, customerImports } from '../store/import-schema'
import { ImportFixture } from '../testing/import-fixture'
import { resumeImport } from './commands'
import { writeImportResult } from './import-record'

const bench = new ImportFixture()
const lost = { resetBefore: true }
const names = () => bench.service.customers.map(({ name }) => name)

describe('a line whose reply was lost', () => {
  it.each([
    ['reset', { resetBefore: true }],
    ['answered with 500', { status: 500, body: '{}' }],
    ['answered by a proxy with 502', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['answered with 408', { status: 408, body: '{}' }],
    ['answered with what is no HTTP', { raw: 'nonsense' }],
    ['answered with a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ])('is sent once and found among the customers: %s', async (_, script) => {
    bench.service.onCreate = (_count, { name }) => (name === 'Ann' ? { script } : {})
    const view = await bench.run('Name,Number\nAnn,1\nBo,2\n')
    expect(names()).toEqual(['Ann', 'Bo'])
    expect(bench.service.creations).toHaveLength(2)
    expect(view).toMatchObject({ state: 'done', counts: { created: 2, found: 1, unknown: 0 }, doubts: [] })
    const [ann] = bench.service.customers
    expect(await writeImportResult(bench.db, view.importId)).toContain(
      `\r\n2,created (found among the customers),${ann?.id},cu_1,,Ann,1,`,
    )
    expect((await bench.noted()).map(({ action }) => action)).toContain('import.found')
  })

  it('waits for a person when two reads of the whole list do not show it, while the others are created', async () => {
    bench.service.onCreate = (_, { name }) => (name === 'Ann' ? { script: lost, creates: false } : {})
    const view = await bench.run('Name,Number\nAnn,1\nBo,2\n')
    expect(names()).toEqual(['Bo'])
    expect(view).toMatchObject({
      state: 'done',
      counts: { created: 1, unknown: 1, held: 1, waiting: 0 },
      doubts: [
        { line: 2, name: 'Ann', number: '1', failure: 'upstream-unreachable', heldFor: 'not-found', candidates: [] },
      ],
    })
    expect(view.doubts[0]?.sentAt).not.toBeNull()
    expect(await writeImportResult(bench.db, view.importId)).toContain('2,"outcome unknown, needs a decision",')
  })

  it('is never sent again by the same file, by letting the import go on, or by another desk', async () => {
    bench.service.onCreate = () => ({ script: lost, creates: false })
    const { importId } = await bench.run('Name\nAnn\n')
    await bench.run('Name\nAnn\n')
    await bench.work(await resumeImport(bench.db, bench.admin, importId))
    await Promise.all([1, 2].map(async () => bench.work(await bench.start('Name\nAnn\n'))))
    expect(bench.service.creations).toHaveLength(1)
    expect(await bench.seen(importId)).toMatchObject({ state: 'done', counts: { held: 1 } })
  })

  it('is found by a read that the service answers late, after one that did not show it', async () => {
    bench.service.onCreate = () => ({ script: lost })
    // The first read is of before the line was sent.
    bench.service.shows = () => bench.service.reads.length > 2
    expect(await bench.run('Name\nAnn\n')).toMatchObject({ state: 'done', counts: { created: 1, found: 1 } })
    expect(bench.service.reads).toHaveLength(3)
  })

  it('is one of several: four in a row hold the import, and are not sent again when it goes on', async () => {
    bench.service.onCreate = (count) => (count <= 4 ? { script: lost } : {})
    const text = 'Name,Number\nA,1\nB,2\nC,3\nD,4\nE,5\n'
    const held = await bench.run(text)
    expect(held).toMatchObject({ state: 'held', problem: 'upstream-unreachable', counts: { waiting: 1, unknown: 4 } })
    const readsBefore = bench.service.reads.length
    await bench.work(await resumeImport(bench.db, bench.admin, held.importId))
    expect(await bench.seen(held.importId)).toMatchObject({ state: 'done', counts: { created: 5, found: 4 } })
    expect(names()).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(bench.service.creations).toHaveLength(5)
    // One walk to learn what there is before the fifth is sent, and one for all four.
    expect(bench.service.reads.length - readsBefore).toBe(2)
  })
})

describe('a desk that ends while it sends a line', () => {
  it('leaves a line in doubt, which the next desk looks for and does not send', async () => {
    const row = await bench.start('Name,Number\nAnn,1\nBo,2\n')
    let letGo = () => {}
    const dying = new Promise<void>((resolve) => (letGo = resolve))
    bench.service.onCreate = async (count) => (count === 1 ? (await dying, { script: lost, creates: false }) : {})
    const first = bench.work(row)
    await vi.waitFor(() => expect(bench.service.creations).toHaveLength(1), 20_000)
    const ann = bench.service.add({ name: 'Ann', number: '1' })
    // It is gone: its lease runs out, and a restart finds the line as it was left.
    await bench.db.update(customerImports).set({ leaseUntil: new Date(Date.now() - 60_000) })
    await bench.work(await bench.find(row.id))
    expect(names()).toEqual(['Ann', 'Bo'])
    expect(await bench.seen(row.id)).toMatchObject({ state: 'done', counts: { created: 2, found: 1 } })
    letGo()
    await first
    expect(bench.service.creations).toHaveLength(2)
    const [line] = await bench.db.select().from(customerImportRows).orderBy(customerImportRows.line)
    expect(line).toMatchObject({ state: 'created', customerId: ann.id, settledBy: 'desk' })
  })

  it('of an older version leaves one of which nothing is known: only a person can say that a customer is it', async () => {
    const row = await bench.start('Name\nAnn\n')
    await bench.db.update(customerImportRows).set({ state: 'unknown' })
    const ann = bench.service.add({ name: 'Ann' })
    await bench.work(row)
    expect(bench.service.creations).toHaveLength(0)
    expect(await bench.seen(row.id)).toMatchObject({
      counts: { held: 1 },
      doubts: [{ sentAt: null, failure: null, heldFor: 'ambiguous', candidates: [{ id: ann.id }] }],
    })
  })
})

describe('a customer that is not the line’s', () => {
  it('is one that was there before, with the same name and number', async () => {
    bench.service.add({ name: 'Ann', number: '1', createdAt: '2020-01-01T00:00:00Z' })
    // A clock that is ahead proves nothing.
    bench.service.add({ name: 'Ann', number: '1', createdAt: '2099-01-01T00:00:00Z' })
    bench.service.onCreate = () => ({ script: lost, creates: false })
    expect(await bench.run('Name,Number\nAnn,1\n')).toMatchObject({
      counts: { created: 0, held: 1 },
      doubts: [{ heldFor: 'not-found', candidates: [] }],
    })
  })

  it('does not keep the line’s own from being found', async () => {
    bench.service.add({ name: 'Ann', number: '1', createdAt: '2020-01-01T00:00:00Z' })
    bench.service.onCreate = () => ({ script: lost })
    expect(await bench.run('Name,Number\nAnn,1\n')).toMatchObject({ counts: { created: 1, found: 1 } })
    const [line] = await bench.db.select().from(customerImportRows)
    expect(line?.customerId).toBe(bench.service.customers[1]?.id)
  })

  it('is one that another line made: two lines alike and one customer are for a person to tell', async () => {
    bench.service.onCreate = (count) => ({ script: lost, creates: count === 1 })
    const view = await bench.run('Name\nAnn\nAnn\n')
    expect(view).toMatchObject({ counts: { created: 0, held: 2 } })
    expect(view.doubts.map(({ heldFor, candidates }) => [heldFor, candidates.length])).toEqual([
      ['ambiguous', 1],
      ['ambiguous', 1],
    ])
  })

  it('is one that another line was answered for', async () => {
    bench.service.onCreate = (count) => (count === 1 ? { script: lost, creates: false } : {})
    expect(await bench.run('Name\nAnn\nAnn\n')).toMatchObject({
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
    bench.service.onList = () => script
    bench.service.onCreate = (_count, { name }) => (name === 'Ann' ? { script: lost } : {})
    expect(await bench.run('Name\nAnn\nBo\n')).toMatchObject({
      state: 'done',
      counts: { created: 1, held: 1 },
      doubts: [{ line: 2, heldFor: 'not-listed' }],
    })
    expect(names()).toEqual(['Ann', 'Bo'])
  })

  it('because it shows the same page for ever', async () => {
    bench.service.onList = () => ({
      body: JSON.stringify({ results: bench.service.customers, hasMore: true, nextOffset: '1' }),
    })
    bench.service.onCreate = () => ({ script: lost })
    expect(await bench.run('Name\nAnn\n')).toMatchObject({ counts: { held: 1 }, doubts: [{ heldFor: 'not-listed' }] })
  })
})

describe('a service that was proven to sort and to filter', () => {
  it('tells the newest customer in one request, and what is newer by its own clock is new', async () => {
    await bench.prove('order:createdAt')
    for (let index = 0; index < 250; index += 1)
      bench.service.add({ name: `Customer ${index}`, createdAt: new Date(index * 1_000).toISOString() })
    bench.service.add({ name: 'Ann', createdAt: '2020-01-01T00:00:00Z' })
    let readsBefore = 0
    bench.service.onCreate = () => {
      readsBefore = bench.service.reads.length
      return { script: lost }
    }
    expect(await bench.run('Name\nAnn\n')).toMatchObject({ counts: { created: 1, found: 1 } })
    expect(readsBefore).toBe(1)
    const [line] = await bench.db.select().from(customerImportRows)
    expect(line?.customerId).toBe(bench.service.customers.at(-1)?.id)
  })

  it('is asked for the number of the line, and the list is not read', async () => {
    await bench.prove('order:createdAt', 'contains:number')
    bench.service.add({ name: 'Bo', createdAt: '2020-01-01T00:00:00Z' })
    bench.service.onCreate = () => ({ script: lost })
    expect(await bench.run('Name,Number\nAnn,1001\n')).toMatchObject({ counts: { created: 1, found: 1 } })
    const paths = bench.service.reads.map(({ path }) => decodeURIComponent(path.replaceAll('+', ' ')))
    expect(paths).toHaveLength(2)
    expect(paths[1]).toContain("contains(number,'1001')")
  })
})

describe('a line of which no byte went out', () => {
  it('is tried again by itself, and still waits when the import is held', async () => {
    await bench.service.close()
    expect(await bench.run('Name\nAnn\n')).toMatchObject({
      state: 'held',
      problem: 'upstream-unreachable',
      counts: { waiting: 1, unknown: 0 },
    })
  })
})
