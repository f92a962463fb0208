import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatuses, makeUnknownCredentials, sendBytes, writeRequest } from '../testing/raw-requests'
import { at, startTestService, type TestService } from '../testing/test-service'

const requestsPerMinute = 5
const wrongCredentialsPerMinute = 20

let service: TestService
const tokens: string[] = []

beforeAll(async () => {
  service = await startTestService({ requestsPerMinute, wrongCredentialsPerMinute })
  for (let index = 0; index < 4; index += 1) {
    const made = await service.call('POST', '/Merchants', { body: { name: `Merchant ${index}` } })
    tokens.push(String(at(made.json, 'token')))
  }
})
afterAll(() => service.close())

/** An unused credential. */
function takeToken(): string {
  const token = tokens.pop()
  if (token === undefined) throw new Error('More merchants are needed')
  return token
}

const ask = (authorization: string) => service.call('GET', '/Merchants', { token: null, headers: { authorization } })

test('a credential that asks too much is told when to come back, and others are served', async () => {
  const [token, other] = [takeToken(), takeToken()]
  for (let index = 0; index < requestsPerMinute; index += 1)
    expect((await service.call('GET', '/Merchants', { token })).status).toBe(200)
  const refused = await service.call('GET', '/Payments', { token })
  expect(refused.status).toBe(429)
  expect(refused.json).toMatchObject({
    status: 429,
    type: expect.stringMatching(/\/too-many-requests$/u),
    instance: expect.any(String),
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await service.call('GET', '/Merchants', { token: other })).status).toBe(200)
  expect((await service.call('GET', '/')).status).toBe(200)
})

test('a credential has one budget, however the header spells it', async () => {
  const token = takeToken()
  const spellings = ['Basic ', 'basic ', 'BASIC ', 'bAsIc   ', 'Basic      '].map(
    (scheme) => scheme + btoa(`${token}:`),
  )
  spellings.push(`Basic ${btoa(token)}`)
  const statuses: number[] = []
  for (const authorization of spellings) statuses.push((await ask(authorization)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('wrong credentials are limited by address, and neither refuse a right one nor reset its count', async () => {
  const token = takeToken()
  const right = () => service.call('GET', '/Merchants', { token })
  const counted: number[] = []
  for (let index = 0; index < 3; index += 1) counted.push((await right()).status)
  const requests = [...makeUnknownCredentials(100), 'connection: close'].map(writeRequest)
  const said = await sendBytes(service.url, requests.join(''))
  expect(countStatuses(said)).toEqual({
    401: wrongCredentialsPerMinute,
    429: requests.length - wrongCredentialsPerMinute,
  })
  expect(said).toMatch(/^retry-after: [1-9]\d?\r$/mu)
  expect((await service.call('GET', '/Merchants', { token: null })).status).toBe(429)
  for (let index = 0; index < 3; index += 1) counted.push((await right()).status)
  expect(counted).toEqual([200, 200, 200, 200, 200, 429])
})
