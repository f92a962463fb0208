import { randomInt, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { DiagnosticsReport } from '@/lib/domain/diagnostics-report'
import { makeConnection } from '../upstream/connection'
import { parseSettings } from '../runtime/settings'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { runDiagnostics } from './diagnostics'

let service: FaultService

beforeEach(() => {
  globalThis.debitdeskLimits = undefined
  globalThis.debitdeskUpstreamStates = undefined
})
afterEach(() => service.close())

const examineService = () =>
  runDiagnostics(makeConnection(parseSettings({ UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'none' })))

/** The findings about payments, as `result: detail`. */
function findPayments({ findings }: DiagnosticsReport, subject: string): string[] {
  return findings
    .filter((finding) => finding.area === 'payments' && finding.subject === subject)
    .map(({ result, detail }) => `${result}: ${detail}`)
}

it('takes any GUID for an id, and names the field in which a nested value is odd', async () => {
  const row = {
    id: '03f6dbcf-558c-f245-0511-0d4788eef9e3',
    customer: { id: 'FFFFFFFF-0000-9000-2000-000000000001', name: 'Ann' },
    mandate: { id: 7, handle: 'md_1', scheme: 'nets-bs' },
  }
  const list = { body: JSON.stringify({ results: [row, { ...row, customer: { id: 'x' } }], hasMore: false }) }
  service = await startFaultService(({ path }) =>
    path.startsWith('/Payments') ? list : { body: '{"results":[],"hasMore":false}' },
  )
  const report = await examineService()
  expect(findPayments(report, 'fields').at(-1)).toBe(
    'note: Not as documented: customer/id ("x" in 1 of 2), customer/name (nothing in 1 of 2), mandate/id (number in 2 of 2).',
  )
})

it('proves no filter and no order of a service that answers random rows', async () => {
  const random = () => ({
    id: randomUUID(),
    status: 'Pending',
    amount: randomInt(100),
    scheduleDate: new Date(randomInt(2 ** 40)).toISOString(),
  })
  service = await startFaultService(() => ({
    body: JSON.stringify({ results: [random(), random()], hasMore: false, nextOffset: null }),
  }))
  for (let run = 0; run < 5; run += 1) {
    const report = await examineService()
    expect(findPayments(report, 'filter and order')).toEqual([
      expect.stringMatching(/^skipped: Undecided: with too few rows.*order:amount/u),
    ])
  }
})
