import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldAccents } from '@/lib/api-contract/fold-text'
import { filterFields } from '@/lib/api-contract/filter'
import { at, items, startTestService, type TestService } from '../testing/test-service'

let service: TestService
let everything: unknown[]

beforeAll(async () => {
  service = await startTestService({ seedPayments: 600 })
  everything = await service.walk('/Payments')
})
afterAll(() => service.close())

const ids = (rows: unknown[]) => rows.map((row) => String(at(row, 'id')))
const fold = (value: unknown) => String(value).normalize('NFC').toLowerCase()
const list = (path: string, query: Record<string, string>) =>
  service.call('GET', `${path}?${new URLSearchParams(query)}`)

describe('paging', () => {
  test('answers 20 rows when no limit is given, and says that more follow', async () => {
    const reply = await service.call('GET', '/Payments')
    expect(items(reply.json)).toHaveLength(20)
    expect(at(reply.json, 'hasMore')).toBe(true)
    expect(at(reply.json, 'nextOffset')).toEqual(expect.any(String))
  })

  test('ends with hasMore false and no nextOffset', async () => {
    const reply = await list('/Customers/mandates', { filter: "scheme eq 'sepa-b2b'", limit: '100' })
    expect(at(reply.json, 'hasMore')).toBe(false)
    expect(at(reply.json, 'nextOffset')).toBeNull()
  })

  test.each(['0', '-1', '101', '1e9', '1.5', 'abc', ''])('refuses the limit %j', async (limit) => {
    const reply = await list('/Payments', { limit })
    expect(reply.status).toBe(400)
    expect(at(reply.json, 'errors', 'limit')).toBeDefined()
  })

  test('refuses a parameter given twice and one that it does not know', async () => {
    expect((await service.call('GET', '/Payments?limit=1&limit=100')).status).toBe(400)
    const unknown = await service.call('GET', '/Payments?limt=1')
    expect(at(unknown.json, 'errors', 'limt')).toEqual(['is not known here'])
  })

  test.each(
    Object.entries({
      '/Payments': 'listPayments',
      '/Customers': 'listCustomers',
      '/Customers/mandates': 'listMandates',
    } as const),
  )('%s shows every row once in every order it knows, forwards and backwards', async (path, name) => {
    const all = ids(await service.walk(path)).toSorted()
    for (const field of Object.keys(filterFields[name])) {
      const ascending = ids(await service.walk(path, { orderby: field, limit: '37' }))
      expect([field, ascending.toSorted()]).toEqual([field, all])
      const descending = ids(await service.walk(path, { orderby: `${field} desc` }))
      expect([field, descending]).toEqual([field, ascending.toReversed()])
    }
  })

  test('goes on after names that grow when they are folded, and after those that JSON writes long', async () => {
    const names = ['\ufb2c'.repeat(199), '\u0001'.repeat(199)].flatMap((text) => [`${text}a`, `${text}b`])
    for (const name of names) await service.call('POST', '/Customers', { body: { name, number: name } })
    const rows = await service.walk('/Customers', {
      orderby: 'name,number',
      limit: '1',
      filter: 'createdAt ge 2020-01-01',
    })
    const found = rows.map((row) => String(at(row, 'name')))
    expect(found.filter((name) => names.includes(name))).toHaveLength(4)
  })

  test('orders by several fields in different directions', async () => {
    const rows = await service.walk('/Payments', { orderby: 'status desc,amount,createdAt desc', limit: '23' })
    const key = (row: unknown) => [String(at(row, 'status')), Number(at(row, 'amount'))] as const
    const sorted = everything.toSorted((one, other) => {
      const [state, amount] = key(one)
      const [otherState, otherAmount] = key(other)
      return state === otherState ? amount - otherAmount : state < otherState ? 1 : -1
    })
    expect(rows.map(key)).toEqual(sorted.map(key))
  })

  test.each([
    'status,scheduleDate',
    'currency desc,amount',
    'test,mandate/scheme desc,paymentDate',
    'mandate/scheme,customer/name desc,amount',
    'status desc,amount,createdAt desc',
  ])('by %s is the same page by page as at once, and the other way round backwards', async (orderby) => {
    const all = ids(everything).toSorted()
    const small = ids(await service.walk('/Payments', { orderby, limit: '7' }))
    expect(small.toSorted()).toEqual(all)
    // A filter that matches all rows uses another query plan.
    const filtered = ids(await service.walk('/Payments', { orderby, filter: 'amount ge 0 or amount lt 0' }))
    expect(filtered).toEqual(small)
    const turned = orderby
      .split(',')
      .map((one) => (one.endsWith(' desc') ? one.slice(0, -5) : `${one} desc`))
      .join(',')
    expect(ids(await service.walk('/Payments', { orderby: turned, limit: '90' }))).toEqual(small.toReversed())
  })

  test('loses and doubles no row of an unchanging order while rows come and go between pages', async () => {
    const before = await list('/Customers', { orderby: 'createdAt desc', limit: '10' })
    await service.call('POST', '/Customers', { body: { name: 'Newcomer' } })
    const after = String(at(before.json, 'nextOffset'))
    const rest = await list('/Customers', { orderby: 'createdAt desc', limit: '10', after })
    const seen = [...ids(items(before.json)), ...ids(items(rest.json))]
    expect(new Set(seen).size).toBe(20)
    const fresh = ids(await service.walk('/Customers', { orderby: 'createdAt desc' }))
    expect(fresh.slice(1, 21)).toEqual(seen)
  })
})

describe('a nextOffset', () => {
  test.each<Record<string, string>>([
    { filter: 'test eq true' },
    { orderby: 'amount' },
    { filter: 'test eq false', orderby: 'createdAt' },
  ])('is refused with another filter or order: %j', async (other) => {
    const first = await list('/Payments', { filter: 'test eq false', limit: '5' })
    const after = String(at(first.json, 'nextOffset'))
    expect((await list('/Payments', { filter: 'test eq false', limit: '7', after })).status).toBe(200)
    const reply = await list('/Payments', { ...other, after })
    expect(reply.status).toBe(400)
    expect(at(reply.json, 'type')).toMatch(/\/offset$/u)
  })

  test('is refused at another list and when one character of it differs', async () => {
    const after = String(at((await service.call('GET', '/Payments')).json, 'nextOffset'))
    expect((await list('/Customers', { after })).status).toBe(400)
    for (const position of [0, 10, 30, after.length - 2]) {
      const changed = `${after.slice(0, position)}${after[position] === 'A' ? 'B' : 'A'}${after.slice(position + 1)}`
      expect((await list('/Payments', { after: changed })).status).toBe(400)
    }
    expect((await list('/Payments', { after: 'x' })).status).toBe(400)
  })
})

type Predicate = (row: unknown) => boolean

describe('a filter', () => {
  const cases: [string, Predicate][] = [
    ["status eq 'pending'", (row) => at(row, 'status') === 'Pending'],
    ["status ne 'Settled'", (row) => at(row, 'status') !== 'Settled'],
    ['test eq true', (row) => at(row, 'test') === true],
    [
      'amount ge 100000 and amount lt 250000.5',
      (row) => Number(at(row, 'amount')) >= 100_000 && Number(at(row, 'amount')) < 250_000.5,
    ],
    ["currency eq 'EUR' or currency eq 'sek'", (row) => ['EUR', 'SEK'].includes(String(at(row, 'currency')))],
    ['scheduleDate ge 2026-11-20', (row) => String(at(row, 'scheduleDate')) >= '2026-11-20'],
    ['scheduleDate lt 2026-11-20T01:00:00+01:00', (row) => String(at(row, 'scheduleDate')) < '2026-11-20T00:00'],
    ['settlementDate lt 9999-12-31', (row) => at(row, 'settlementDate') !== null],
    ["contains(customer/name,'SØN')", (row) => foldAccents(String(at(row, 'customer', 'name'))).includes('son')],
    [
      "contains(customer/name,'mo\u0308ller')",
      (row) => foldAccents(String(at(row, 'customer', 'name'))).includes('moller'),
    ],
    ["contains(customer/name,'כהן')", (row) => fold(at(row, 'customer', 'name')).includes('כהן')],
    ["contains(customer/name,'👨‍👩')", (row) => fold(at(row, 'customer', 'name')).includes('👨‍👩')],
    ["contains(customer/name,'o''neill')", (row) => fold(at(row, 'customer', 'name')).includes("o'neill")],
    [
      "contains(reference,'2026-0101') or contains(customer/name,'kjær')",
      (row) => fold(at(row, 'reference')).includes('2026-0101') || fold(at(row, 'customer', 'name')).includes('kjær'),
    ],
    ["contains(description,'%') or contains(description,'_')", () => false],
    [
      "(status eq 'Pending' or status eq 'Scheduled') and test eq false and mandate/scheme eq 'nets-bs'",
      (row) =>
        ['Pending', 'Scheduled'].includes(String(at(row, 'status'))) &&
        at(row, 'test') === false &&
        at(row, 'mandate', 'scheme') === 'nets-bs',
    ],
    ["id eq 'no-id'", () => false],
    ["id ne 'no-id'", () => true],
    ["customer/name gt 'n'", (row) => fold(at(row, 'customer', 'name')) > 'n'],
  ]
  test.each(cases)('%s finds what it says', async (filter, predicate) => {
    const expected = everything.filter(predicate)
    expect(ids(await service.walk('/Payments', { filter }))).toEqual(ids(expected))
  })

  test('finds some rows in most of these cases, so that they prove something', () => {
    const found = cases.filter(([, predicate]) => everything.some(predicate))
    expect(found.length).toBeGreaterThanOrEqual(cases.length - 2)
  })

  test('finds one row by each of its own values', async () => {
    const row = everything[7]
    const quote = (value: unknown) => `'${String(value).replaceAll("'", "''")}'`
    for (const [field, path] of [
      ['id', ['id']],
      ['handle', ['handle']],
      ['reference', ['reference']],
      ['customer/id', ['customer', 'id']],
      ['customer/name', ['customer', 'name']],
      ['mandate/handle', ['mandate', 'handle']],
    ] as const) {
      const reply = await list('/Payments', {
        filter: `${field} eq ${quote(at(row, ...path))} and reference eq ${quote(at(row, 'reference'))}`,
      })
      expect([field, ...ids(items(reply.json))]).toEqual([field, at(row, 'id')])
    }
  })

  test.each(['handle', 'mandate/handle'])('finds a %s only as it is spelled, as GET does', async (field) => {
    const row = everything[7]
    const handle = String(at(row, ...field.split('/')))
    const find = async (comparison: string, value: string) =>
      ids(await service.walk('/Payments', { filter: `${field} ${comparison} '${value}'` }))
    expect(await find('eq', handle)).toContain(at(row, 'id'))
    expect(await find('ne', handle)).not.toContain(at(row, 'id'))
    expect(await find('eq', handle.toUpperCase())).toEqual([])
    expect(await find('ne', handle.toUpperCase())).toHaveLength(everything.length)
    expect(await find('ge', handle)).toContain(at(row, 'id'))
  })

  test('that is not understood answers position and expectation', async () => {
    const reply = await list('/Payments', { filter: "status eq 'Pending' and" })
    expect(reply.status).toBe(400)
    expect(at(reply.json, 'type')).toMatch(/\/filter$/u)
    expect(at(reply.json, 'position')).toBe(23)
    expect(at(reply.json, 'expected')).toContain('status')
    expect((await list('/Payments', { orderby: 'nothing' })).status).toBe(400)
  })

  test.each([
    "' or 1=1 --",
    "status eq '' or 1=1",
    'id eq (select 1)',
    "contains(customer/name,'a'); drop table payments",
    '1=1',
    "status eq 'a'\0",
  ])('of hostile text is data or refused: %j', async (filter) => {
    const reply = await list('/Payments', { filter })
    expect(reply.status).toBe(400)
  })

  test('works on customers and mandates', async () => {
    const customers = await service.walk('/Customers', { filter: "contains(name,'sen')" })
    expect(customers.length).toBeGreaterThan(0)
    expect(customers.every((row) => fold(at(row, 'name')).includes('sen'))).toBe(true)
    const number = String(at(customers[0], 'number'))
    expect(ids(await service.walk('/Customers', { filter: `number eq '${number}'` }))).toEqual([at(customers[0], 'id')])
    const mandates = await service.walk('/Customers/mandates', {
      filter: "status eq 'active' and contains(customer/name,'sen')",
    })
    expect(mandates.length).toBeGreaterThan(0)
    expect(
      mandates.every((row) => at(row, 'status') === 'Active' && fold(at(row, 'customer', 'name')).includes('sen')),
    ).toBe(true)
  })
})

test('a search disregards case and accents, of payers, references and descriptions', async () => {
  const name = 'Åse Nørgård-Kjær'
  const created = await service.call('POST', '/Customers', { body: { name, number: 'accents-1' } })
  expect(created.status).toBe(201)
  for (const word of ['norgaard', 'AASE', 'kjaer', 'nørgård', 'rgaard-kj']) {
    const found = await list('/Customers', { filter: `contains(name,'${word}')`, limit: '100' })
    expect(items(found.json).map((row) => at(row, 'name'))).toContain(name)
  }
  const [first] = everything
  const description = String(at(first, 'description'))
  const described = await list('/Payments', {
    filter: `contains(description,'${description.toUpperCase().replaceAll("'", "''")}')`,
    limit: '100',
  })
  expect(ids(items(described.json))).toEqual(
    ids(everything.filter((row) => fold(at(row, 'description')).includes(fold(description)))).slice(0, 100),
  )
})
