import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addresses } from '@/lib/api-contract/addresses'
import { makeOpenapi } from '@/lib/api-contract/openapi'
import type { TestService } from '../testing/test-service'
import { countSuccesses, driveOperation, startConformance } from './drive-operation'
import type { OpenDocument } from './openapi-document'

let service: TestService
let document: OpenDocument

beforeAll(async () => {
  ;({ service, document } = await startConformance(400))
})
afterAll(() => service.close())

describe('GET /openapi.json', () => {
  it('answers without a credential what the contract makes', async () => {
    const reply = await service.call('GET', '/openapi.json', { token: null })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(reply.json).toMatchObject({
      openapi: '3.1.0',
      paths: JSON.parse(JSON.stringify(Object.fromEntries(Object.keys(makeOpenapi().paths).map((path) => [path, {}])))),
    })
    expect(document.operations).toHaveLength(18)
  })
})

/** 2,000 in conformance.long.test.ts. */
const runs = 60

describe(`by its own document the service answers ${runs} right and wrong requests`, () => {
  it.each(Object.keys(addresses))('%s', async (id) => {
    const tally = await driveOperation({ service, document, id }, { runs, seed: 20_261_120 })
    expect(countSuccesses(tally)).toBeGreaterThanOrEqual(runs / 10)
    expect(tally.has(401)).toBe(id !== 'getStatus')
  })
})
