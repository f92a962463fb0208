import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { listOmissions } from '@/lib/api-contract/record-fields'
import { log } from '../runtime/log'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { type Gateway, startGateway } from '../testing/gaps/start-gateway'
import { keepSession, makeSession, setMemoryStore } from '../testing/store-fixture'

/*
 * One bad record among 99 good ones, sent by a real service over HTTP and read by the real gateway. The list is shown, and
 * the record says what is wrong with it.
 */
const makeRow = (at: number) => ({
  id: `p-${at}`,
  status: 'Pending',
  amount: 100,
  currency: 'DKK',
  reference: `INV-${at}`,
})
const good = Array.from({ length: 99 }, (_, at) => JSON.stringify(makeRow(at + 1)))
const reply = z.object({ results: z.array(z.looseObject({ id: z.string().nullable() })), unreadable: z.number() })

let entry: string | Uint8Array
let service: FaultService
let gateway: Gateway

beforeAll(async () => {
  log.level = 'silent'
  const { db } = await setMemoryStore()
  service = await startFaultService(() => {
    const rows = [...good.slice(0, 50), entry, ...good.slice(50)]
    const joined = rows.flatMap((row, at) => [Buffer.from(at === 0 ? '' : ','), Buffer.from(row)])
    return { body: Buffer.concat([Buffer.from('{"results":['), ...joined, Buffer.from('],"hasMore":false}')]) }
  })
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_AUTH = 'none'
  const session = makeSession('admin')
  // A session that has just begun: creating a merchant requires a recent password.
  await keepSession(db, session)
  gateway = await startGateway(session)
})
afterAll(async () => {
  await gateway.close()
  await service.close()
})

async function list(path = '/Payments') {
  const { status, json } = await gateway.ask('GET', path)
  expect(status).toBe(200)
  const { results, unreadable } = reply.parse(json)
  expect(results.filter(({ id }) => id !== null && /^p-\d/u.test(id))).toHaveLength(99)
  return { unreadable, marked: results.filter((row) => listOmissions(row).length > 0), results }
}

const tell = (members: string) => `{"id":"bad","status":"Pending","amount":100,${members}}`
const names = Array.from({ length: 10_001 }, (_, at) => `"k${at}":1`).join(',')

describe('the list stands, and the record says what of it cannot be used', () => {
  it.each([
    ['a key __proto__', '"metaData":{"__proto__":{"polluted":true}}', 'metaData.__proto__', 'unsafe-key'],
    ['the same, escaped', '"metaData":{"\\u005f_proto__":{"polluted":true}}', 'metaData.__proto__', 'unsafe-key'],
    ['constructor.prototype', '"metaData":{"constructor":{"prototype":{}}}', 'metaData.constructor', 'unsafe-key'],
    ['a state given twice', '"status":"Cancelled"', 'status', 'twice'],
    ['an amount given twice', '"amount":1', 'amount', 'twice'],
    ['an unforeseen field given twice', '"metaData":{"a":1,"a":2}', 'metaData.a', 'twice'],
    ['ten thousand names', `"metaData":{${names}}`, 'metaData', 'too-many-names'],
    ['a text of megabytes', `"description":"${'x'.repeat(3_000_000)}"`, 'description', 'too-long'],
    ['an amount that is an object', '"amount":100,"currency":{"code":"DKK"}', 'currency', 'misshapen'],
    ['a date that is an object', '"scheduleDate":{"day":1}', 'scheduleDate', 'misshapen'],
  ])('%s', async (_, members, field, why) => {
    entry = tell(members)
    const { marked, unreadable, results } = await list()
    expect(results).toHaveLength(100)
    expect(unreadable).toBe(0)
    expect(marked.map((row) => [row.id, listOmissions(row)])).toEqual([['bad', [{ field, why }]]])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it.each([70, 100_000])('nesting of %i levels', async (levels) => {
    entry = tell(`"metaData":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    const { marked } = await list()
    expect(marked.map((row) => [row.id, listOmissions(row)])).toEqual([
      ['bad', [{ field: expect.stringMatching(/^metaData\.a/u), why: 'too-deep' }]],
    ])
  })

  it('a byte that is not UTF-8', async () => {
    entry = Buffer.concat([Buffer.from('{"id":"bad","reference":"S'), Buffer.from([0xf8]), Buffer.from('ren"}')])
    const { marked } = await list()
    expect(marked).toMatchObject([{ id: 'bad', reference: 'S\uFFFDren' }])
    expect(marked.map((row) => listOmissions(row))).toEqual([[{ field: 'reference', why: 'not-utf8' }]])
  })

  it.each([
    ['given twice', '"id":"p-1"', 'twice'],
    ['that is an object', '"id":{}', 'misshapen'],
  ])('an id %s is none', async (_, member, why) => {
    entry = why === 'twice' ? tell(member) : `{${member},"status":"Pending"}`
    const { marked } = await list()
    expect(marked.map((row) => [row.id, listOmissions(row)])).toEqual([[null, [{ field: 'id', why }]]])
  })

  it.each(['null', '7', '"text"', '[]', '[{"__proto__":1}]', '[[[]]]'])(
    '%s, which is no record, is counted',
    async (one) => {
      entry = one
      expect(await list()).toMatchObject({ unreadable: 1, marked: [], results: { length: 99 } })
    },
  )

  it.each([
    ['numbers past 2^53', '"amount":9007199254740993', { amount: '9007199254740993' }],
    ['a number past every double', '"amount":1e400', { amount: '1e400' }],
    ['an amount that is no number', '"amount":"NaN"', { amount: 'NaN' }],
    ['an id that is a number', '"id":12345678901234567890', { id: '12345678901234567890' }],
    ['an id that is empty', '"id":""', { id: '' }],
    ['a lone surrogate and NUL', '"id":"bad","reference":"a\\ud800\\u0000"', { id: 'bad', reference: 'a\ud800\0' }],
  ])('%s stay as they were sent', async (_, members, shown) => {
    entry = `{"status":"Pending",${members}}`
    const { results, marked } = await list()
    expect(marked).toEqual([])
    expect(results).toEqual(expect.arrayContaining([expect.objectContaining(shown)]))
  })
})

describe('a body with a key that could change a prototype', () => {
  it.each([
    ['/Merchants', 'metaData', '"name":"X"'],
    ['/Merchants/agreements', 'schemeData', '"scheme":"nets-bs"'],
  ])('is refused by the field and the rule, and nothing is sent: %s', async (path, field, member) => {
    service.requests.length = 0
    const body: unknown = JSON.parse(`{${member},"${field}":{"a":[{"__proto__":{"x":1}}]}}`)
    const { status, json } = await gateway.ask('POST', path, body)
    expect([status, json]).toMatchObject([400, { errors: { [field]: ['must not have a key named __proto__'] } }])
    expect(service.requests).toEqual([])
  })
})
