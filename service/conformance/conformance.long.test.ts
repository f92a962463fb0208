import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addresses } from '@/lib/api-contract/addresses'
import type { TestService } from '../testing/test-service'
import { countSuccesses, driveOperation, startConformance } from './drive-operation'
import type { OpenDocument } from './openapi-document'

let service: TestService
let document: OpenDocument

beforeAll(async () => {
  ;({ service, document } = await startConformance(2_000))
})
afterAll(() => service.close())

// The requests differ on each run; a failure prints the seed that reproduces them.
describe('by its own document the service answers 2,000 right and wrong requests', () => {
  it.each(Object.keys(addresses))('%s', async (id) => {
    const tally = await driveOperation({ service, document, id }, { runs: 2_000 })
    expect(countSuccesses(tally)).toBeGreaterThanOrEqual(40)
    expect(tally.has(401)).toBe(id !== 'getStatus')
  })
})
