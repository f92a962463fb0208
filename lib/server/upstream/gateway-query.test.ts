import { afterAll, beforeAll, expect, it } from 'vitest'
import { serviceHandler } from './gateway'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'

const origin = 'http://127.0.0.1:3000'
let service: FaultService

beforeAll(async () => {
  service = await startFaultService(() => ({ body: '{"results":[],"hasMore":false}' }))
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_URL = origin
})
afterAll(() => service.close())

const listCustomers = serviceHandler('listCustomers', async () => makeSession('admin'))
const none = { params: Promise.resolve(undefined) }

it.each([
  ['filter', '?filter=%ff'],
  ['filter', "?limit=10&filter=contains(name,'100%')"],
  ['after', '?after=%ED%A0%80'],
  ['%ff', '?%25ff=%c3'],
])('with a %s that does not decode is 400 naming it, and is not passed on: %s', async (name, query) => {
  const response = await listCustomers(new Request(`${origin}/api/service/Customers${query}`), none)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: { [name]: ['isn’t UTF-8 once percent-decoded'] } })
  expect(service.requests).toEqual([])
})
