import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { addresses } from './addresses'
import type { Endpoint } from './endpoint'
import { customerChange } from './customers'
import { endpoints } from './endpoints'

type Body =
  | 'none'
  | 'CustomerInput'
  | 'CustomerUpdate'
  | 'MerchantInput'
  | 'AgreementInput'
  | 'WebhookInput'
  | 'CancellationInput'
type Row = {
  method: string
  path: string
  params: Record<string, 'string' | 'uuid'>
  query: boolean
  body: Body
  reply: Reply
}
type Reply = 'text' | 'page' | 'record' | 'any'

/**
 * docs/upstream-api.md, section 4, row by row: method, path, path parameters with their types, query, kind of body, kind
 * of success reply (`any` if not documented).
 */
const table: Row[] = [
  { method: 'GET', path: '/', params: {}, query: false, body: 'none', reply: 'text' },
  { method: 'GET', path: '/Customers', params: {}, query: true, body: 'none', reply: 'page' },
  { method: 'POST', path: '/Customers', params: {}, query: false, body: 'CustomerInput', reply: 'any' },
  {
    method: 'GET',
    path: '/Customers/{customerIdOrHandle}',
    params: { customerIdOrHandle: 'string' },
    query: false,
    body: 'none',
    reply: 'record',
  },
  {
    method: 'PUT',
    path: '/Customers/{customerIdOrHandle}',
    params: { customerIdOrHandle: 'string' },
    query: false,
    body: 'CustomerUpdate',
    reply: 'any',
  },
  {
    method: 'DELETE',
    path: '/Customers/{customerId}',
    params: { customerId: 'uuid' },
    query: false,
    body: 'none',
    reply: 'any',
  },
  { method: 'GET', path: '/Customers/mandates', params: {}, query: true, body: 'none', reply: 'page' },
  {
    method: 'GET',
    path: '/Customers/mandates/{mandateIdOrHandle}',
    params: { mandateIdOrHandle: 'string' },
    query: false,
    body: 'none',
    reply: 'record',
  },
  { method: 'POST', path: '/Merchants', params: {}, query: false, body: 'MerchantInput', reply: 'any' },
  { method: 'GET', path: '/Merchants', params: {}, query: false, body: 'none', reply: 'any' },
  { method: 'POST', path: '/Merchants/agreements', params: {}, query: false, body: 'AgreementInput', reply: 'any' },
  {
    method: 'GET',
    path: '/Merchants/agreements/{agreementIdOrHandle}',
    params: { agreementIdOrHandle: 'string' },
    query: false,
    body: 'none',
    reply: 'record',
  },
  {
    method: 'DELETE',
    path: '/Merchants/agreements/{agreementId}',
    params: { agreementId: 'uuid' },
    query: false,
    body: 'none',
    reply: 'any',
  },
  { method: 'GET', path: '/Merchants/webhooks', params: {}, query: false, body: 'none', reply: 'any' },
  {
    method: 'POST',
    path: '/Merchants/webhooks/subscribe',
    params: {},
    query: false,
    body: 'WebhookInput',
    reply: 'any',
  },
  {
    method: 'POST',
    path: '/Merchants/webhooks/unsubscribe',
    params: {},
    query: false,
    body: 'WebhookInput',
    reply: 'any',
  },
  // The interface shows no query for this list; the shared one is decision 0004.
  { method: 'GET', path: '/Payments', params: {}, query: true, body: 'none', reply: 'page' },
  {
    method: 'DELETE',
    path: '/Payments/{paymentId}',
    params: { paymentId: 'string' },
    query: false,
    body: 'CancellationInput',
    reply: 'any',
  },
]

/**
 * docs/upstream-api.md, section 2: the fields of each body with their types. The body of PUT is not documented; it has the
 * fields of the input (decision 0002).
 */
const customerFields = {
  name: 'string',
  number: 'string',
  addressLine1: 'string',
  addressLine2: 'string',
  city: 'string',
  country: 'string',
  postalCode: 'string',
}
const bodies: Record<Body, Record<string, string> | undefined> = {
  none: undefined,
  CustomerInput: customerFields,
  CustomerUpdate: customerFields,
  MerchantInput: { name: 'string', isvHandle: 'string', metaData: 'object' },
  AgreementInput: { scheme: 'string', schemeData: 'object', test: 'boolean', dataSourceHandle: 'string' },
  WebhookInput: { webhookUrl: 'string' },
  CancellationInput: { text: 'string' },
}

const aUuid = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
const described: Endpoint[] = Object.values(endpoints)
const find = (row: Row) => described.find(({ method, path }) => method === row.method && path === row.path)

function readTypes(schema: z.ZodType): Record<string, unknown> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, typeof property === 'object' && property.type]),
  )
}

describe('what goes back as it was read', () => {
  it('is documented as what a person may type', () => {
    const schemas = [endpoints.updateCustomer.body, customerChange].map((body) => z.toJSONSchema(body, { io: 'input' }))
    expect(schemas[0]).toEqual(schemas[1])
  })

  it('may be more than that, and stays as it is', () => {
    const told = { name: ' Ann ', addressLine1: 'x'.repeat(250) }
    expect(endpoints.updateCustomer.body.parse(told)).toEqual(told)
    expect(endpoints.updateCustomer.body.parse({ name: '' })).toEqual({ name: '' })
    const long = { webhookUrl: `https://a.example/${'x'.repeat(3_000)}` }
    expect(endpoints.unsubscribeWebhook.body.parse(long)).toEqual(long)
    expect(endpoints.subscribeWebhook.body.safeParse(long).success).toBe(false)
  })
})

describe('the contract and docs/upstream-api.md, section 4', () => {
  it('has the 18 rows in the same order and nothing else', () => {
    expect(table).toHaveLength(18)
    expect(described.map(({ method, path }) => `${method} ${path}`)).toEqual(
      table.map(({ method, path }) => `${method} ${path}`),
    )
  })

  it('knows each endpoint by its own id', () => {
    for (const [id, endpoint] of Object.entries(endpoints)) {
      expect(endpoint.id).toBe(id)
      expect({ method: endpoint.method, path: endpoint.path }).toEqual(addresses[endpoint.id])
    }
    expect(Object.keys(addresses)).toEqual(Object.keys(endpoints))
  })

  describe.each(table)('$method $path', (row) => {
    it('takes the path parameters of the table, with their types', () => {
      const params = find(row)?.params ?? {}
      expect(Object.keys(params)).toEqual(Object.keys(row.params))
      for (const [name, type] of Object.entries(row.params)) {
        expect(params[name]?.safeParse(aUuid).success).toBe(true)
        expect(params[name]?.safeParse('a-handle').success).toBe(type === 'string')
      }
    })

    it('takes a query only where the table has one', () => {
      const query = find(row)?.query
      const shared = { filter: 'string', orderby: 'string', after: 'string', limit: 'string' }
      expect(query && readTypes(query)).toEqual(row.query ? shared : undefined)
    })

    it('takes exactly the documented fields as its body', () => {
      const body = find(row)?.body
      expect(body && readTypes(body)).toEqual(bodies[row.body])
      expect(body?.safeParse({ notDocumented: 1 }).success).toBe(body && false)
    })

    it('reads the documented kind of reply', () => {
      const reply = find(row)?.reply
      const accepts = (value: unknown) => reply?.safeParse(value).success
      const container = { results: [], hasMore: false, nextOffset: null }
      expect(accepts(container)).toBe(true)
      expect(accepts({})).toBe(row.reply !== 'page')
      expect(accepts('some text')).toBe(row.reply === 'text' || row.reply === 'any')
    })
  })
})

describe('the limit of a list', () => {
  const limit = (value: unknown) => endpoints.listCustomers.query.safeParse({ limit: value })
  it.each(['1', '20', '100', 100])('takes %s', (value) => {
    expect(limit(value)).toMatchObject({ success: true, data: { limit: Number(value) } })
  })
  it.each(['0', '101', '-1', '1.5', '1e2', 'abc', '', ' 5', '٣'])('refuses %s', (value) => {
    expect(limit(value).success).toBe(false)
  })
  it('may be left out', () => {
    expect(endpoints.listMandates.query.safeParse({})).toMatchObject({ success: true, data: {} })
  })
})
