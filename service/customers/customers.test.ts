import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, startTestService, type TestService } from '../testing/test-service'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ seedPayments: 300 })
})
afterAll(() => service.close())

const full = {
  name: 'Ænna 👩🏽‍💻 Ågård',
  number: '0042',
  addressLine1: 'Vesterbrogade 1',
  addressLine2: '2. th',
  city: 'København',
  country: 'DK',
  postalCode: '1620',
}

async function make(body: unknown = full): Promise<string> {
  return String(at((await service.call('POST', '/Customers', { body })).json, 'id'))
}

describe('a customer', () => {
  test('is given its handle by the service, so that none is a word of a path (BF-03)', async () => {
    for (const handle of ['mandates', 'cu_mine'])
      expect((await service.call('POST', '/Customers', { body: { ...full, handle } })).status).toBe(400)
  })

  test('is created with every field, byte for byte, and read at its Location by id and by handle', async () => {
    const made = await service.call('POST', '/Customers', { body: full })
    expect(made.status).toBe(201)
    expect(made.json).toEqual({
      ...full,
      id: expect.any(String),
      handle: expect.stringMatching(/^cu_[a-z2-9]{16}$/u),
      createdAt: expect.any(String),
      modifiedAt: expect.any(String),
      mandates: [],
    })
    for (const path of [String(made.headers.get('location')), `/Customers/${String(at(made.json, 'handle'))}`]) {
      expect((await service.call('GET', path)).json).toEqual(made.json)
    }
    const upper = `/Customers/${String(at(made.json, 'id')).toUpperCase()}`
    expect((await service.call('GET', upper)).json).toEqual(made.json)
  })

  test('keeps a decomposed name as it came, and is found by the composed one', async () => {
    const name = 'Noe\u0308l Ange\u0301lique'
    const id = await make({ name })
    expect(at((await service.call('GET', `/Customers/${id}`)).json, 'name')).toBe(name)
    const filter = encodeURIComponent("contains(name,'noël angé')")
    expect(at((await service.call('GET', `/Customers?filter=${filter}`)).json, 'results', 0, 'id')).toBe(id)
  })

  test('shows its mandates in brief', async () => {
    const [row] = await service.walk('/Customers/mandates')
    const reply = await service.call('GET', `/Customers/${String(at(row, 'customer', 'id'))}`)
    expect(at(reply.json, 'mandates')).toContainEqual({
      handle: at(row, 'handle'),
      scheme: at(row, 'scheme'),
      state: at(row, 'status'),
    })
  })

  test('changes the fields that are given and leaves the others', async () => {
    const id = await make()
    const reply = await service.call('PUT', `/Customers/${id}`, { body: { city: 'Aarhus', Number: '' } })
    expect(reply.status).toBe(200)
    const after = await service.call('GET', `/Customers/${id}`)
    expect(after.json).toMatchObject({ ...full, city: 'Aarhus', number: '' })
    expect((await service.call('PUT', `/Customers/${randomUUID()}`, { body: { city: 'x' } })).status).toBe(404)
    expect((await service.call('PUT', `/Customers/${id}`)).status).toBe(400)
    expect((await service.call('PUT', `/Customers/${id}`, { body: { name: '' } })).status).toBe(400)
  })

  test('is changed by the corrected request under the key of one that was not understood', async () => {
    const [path, headers] = [`/Customers/${await make()}`, { 'idempotency-key': randomUUID() }]
    for (const body of [{ city: 'x'.repeat(201) }, { name: ' ' }])
      expect((await service.call('PUT', path, { headers, body })).status).toBe(400)
    expect((await service.call('PUT', path, { headers, body: { city: 'Aarhus' } })).status).toBe(200)
    expect((await service.call('PUT', path, { headers, body: { city: 'Aarhus' } })).status).toBe(208)
  })

  test('has a name that is measured without the white space around it', async () => {
    const name = 'x'.repeat(200)
    const id = await make({ name: ` ${name}  ` })
    expect(at((await service.call('GET', `/Customers/${id}`)).json, 'name')).toBe(name)
    expect((await service.call('PUT', `/Customers/${id}`, { body: { name: `${name} ` } })).status).toBe(200)
    expect((await service.call('POST', '/Customers', { body: { name: `${name}x` } })).status).toBe(400)
  })

  test('is found by its new name in all three lists', async () => {
    const [payment] = await service.walk('/Payments')
    const [id, count] = [
      String(at(payment, 'customer', 'id')),
      await service.walk('/Payments', { filter: `customer/id eq '${String(at(payment, 'customer', 'id'))}'` }),
    ]
    await service.call('PUT', `/Customers/${id}`, { body: { name: 'Zzyzx Renamed' } })
    const found = await service.walk('/Payments', {
      filter: "contains(customer/name,'zzyzx')",
      orderby: 'customer/name desc',
    })
    expect(found).toHaveLength(count.length)
    expect(at(found[0], 'customer', 'name')).toBe('Zzyzx Renamed')
    expect(
      (await service.walk('/Customers/mandates', { filter: "contains(customer/name,'zzyzx')" })).length,
    ).toBeGreaterThan(0)
    expect(await service.walk('/Customers', { filter: "name eq 'ZZYZX renamed'" })).toHaveLength(1)
  })

  test('is deleted once', async () => {
    const id = await make()
    const reply = await service.call('DELETE', `/Customers/${id}`)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect((await service.call('GET', `/Customers/${id}`)).status).toBe(404)
    expect((await service.call('DELETE', `/Customers/${id}`)).status).toBe(404)
    expect((await service.call('DELETE', '/Customers/not-a-uuid')).status).toBe(400)
  })

  test('with open payments is not deleted; with payments that are over it goes, and they with it', async () => {
    const [open] = await service.walk('/Payments', { filter: "status eq 'Pending'" })
    const reply = await service.call('DELETE', `/Customers/${String(at(open, 'customer', 'id'))}`)
    expect([reply.status, at(reply.json, 'type')]).toEqual([409, expect.stringMatching(/\/open-payments$/u)])
    const all = await service.walk('/Payments')
    const busy = new Set(
      all
        .filter((row) => ['Pending', 'Scheduled'].includes(String(at(row, 'status'))))
        .map((row) => at(row, 'customer', 'id')),
    )
    const idle = String(
      at(
        all.find((row) => !busy.has(at(row, 'customer', 'id'))),
        'customer',
        'id',
      ),
    )
    expect((await service.call('DELETE', `/Customers/${idle}`)).status).toBe(204)
    expect(await service.walk('/Payments', { filter: `customer/id eq '${idle}'` })).toEqual([])
  })
})

test('a mandate is read by id and by handle as the list shows it', async () => {
  const [row] = await service.walk('/Customers/mandates')
  for (const name of ['id', 'handle']) {
    expect((await service.call('GET', `/Customers/mandates/${String(at(row, name))}`)).json).toEqual(row)
  }
  expect(Object.keys(Object(row))).toEqual(['id', 'handle', 'scheme', 'status', 'schemeData', 'customer'])
  expect((await service.call('GET', '/Customers/mandates/md_unknown')).status).toBe(404)
})
