import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Capability, usedCapabilities } from '@/lib/domain/lists/capabilities'
import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import { getField } from '@/lib/domain/lists/row-matching'
import type { OpenDatabase } from '@/lib/database/database'
import { invalidateCapabilities, probeCapabilities, readCapabilities } from './capabilities'
import { isForegroundBusy } from './upstream-state'
import { readLastFailure } from './upstream-errors'
import { readFirstPage } from './page-data'
import { createTenantScope } from '../auth/tenant-scope'
import type { Session } from '../auth/session'
import { capabilities, defaultConnectionId } from '../store/schema'
import { evaluate, type FilterableRow, filterableRows as rows, order } from '../testing/filterable-rows'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { setMemoryStore } from '../testing/store-fixture'

type Terms = { filter: string | null; orderby: string | null; limit: string | null }

const session: Session = {
  sessionId: 'b8a3c7de-0000-4000-8000-000000000001',
  userId: 'b8a3c7de-0000-4000-8000-000000000002',
  email: 'viewer@debitdesk.example',
  role: 'viewer',
  scope: createTenantScope(defaultConnectionId),
}

const reply = (results: FilterableRow[]): Script => ({
  body: JSON.stringify({ results, hasMore: false, nextOffset: null }),
})

function honest({ filter, orderby }: Terms): Script {
  const found = filter ? rows.filter((row) => evaluate(filter, row)) : rows
  return reply(orderby ? order(found, orderby) : found)
}

let store: OpenDatabase
let service: FaultService
let answer: (terms: Terms) => Script = honest

beforeAll(async () => {
  store = await setMemoryStore()
  service = await startFaultService(({ path }) => {
    const { searchParams } = new URL(path, 'http://service')
    return answer({
      filter: searchParams.get('filter'),
      orderby: searchParams.get('orderby'),
      limit: searchParams.get('limit'),
    })
  })
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_AUTH = 'none'
})

beforeEach(async () => {
  await store.db.delete(capabilities)
  globalThis.debitdeskProbes = undefined
  globalThis.debitdeskLastFailures = undefined
  globalThis.debitdeskLimits = undefined
  answer = honest
  service.requests.length = 0
})

afterAll(async () => {
  await store.close()
  await service.close()
})

const held = (proofs: Record<Capability, boolean>) => Object.keys(proofs).filter((ability) => proofs[ability])

describe('proving', () => {
  it('finds every ability of a service that has them all, and remembers it', async () => {
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(held(proofs).toSorted()).toEqual([...usedCapabilities.listPayments].toSorted())
    expect(await readCapabilities(session, 'listPayments')).toEqual(proofs)
    const asked = service.requests.length
    expect(asked).toBeLessThanOrEqual(90)
    await probeCapabilities(session, 'listPayments', Date.now() + 3_600_000)
    expect(service.requests).toHaveLength(asked)
  })

  it('runs once for all who ask at the same time', async () => {
    const [first, second] = await Promise.all([
      probeCapabilities(session, 'listPayments'),
      probeCapabilities(session, 'listPayments'),
    ])
    expect(second).toBe(first)
    expect(service.requests.filter(({ path }) => !path.includes('filter') && !path.includes('orderby'))).toHaveLength(1)
  })

  it('is background work, for which bulk cancellations need not wait', async () => {
    const busy = new Set<boolean>()
    answer = (terms) => {
      busy.add(isForegroundBusy(defaultConnectionId))
      return honest(terms)
    }
    globalThis.debitdeskForeground = undefined
    await probeCapabilities(session, 'listPayments')
    expect([...busy]).toEqual([false])
  })

  it('is possible for an auditor, whose scheduled exports filter and sort as those of others', async () => {
    const proofs = await probeCapabilities({ ...session, role: 'auditor' }, 'listPayments')
    expect(held(proofs).toSorted()).toEqual([...usedCapabilities.listPayments].toSorted())
  })

  it('is not done for whoever may see nothing of the list, nor counts as done for others', async () => {
    const nobody = { ...session, role: 'nobody' as 'viewer' }
    await expect(probeCapabilities(nobody, 'listPayments')).rejects.toMatchObject({ code: 'forbidden' })
    expect(service.requests).toHaveLength(0)
    expect(held(await probeCapabilities(session, 'listPayments'))).not.toEqual([])
  })

  it('decides nothing of a list of few rows, and asks for no more of it', async () => {
    answer = (terms) => {
      const { results } = JSON.parse(String(honest(terms).body))
      return reply(results.slice(0, 19))
    }
    expect(await probeCapabilities(session, 'listPayments')).toEqual({})
    expect(service.requests).toHaveLength(1)
  })

  it('proves nothing of a service that ignores what it is asked', async () => {
    answer = () => reply(rows)
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(held(proofs)).toEqual([])
  })

  it('asks a service of which nothing could be joined no more, once each filter is decided', async () => {
    answer = () => reply(rows)
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(Object.keys(proofs).toSorted()).toEqual([...usedCapabilities.listPayments].toSorted())
    const asked = service.requests.length
    await probeCapabilities(session, 'listPayments', Date.now() + 3_600_000)
    expect(service.requests).toHaveLength(asked)
  })

  it('proves nothing of a service that refuses every query, and stops asking', async () => {
    answer = ({ filter, orderby, limit }) => (filter || orderby || limit ? { status: 400 } : reply(rows))
    const first = await readFirstPage(session, 'listPayments', {})
    expect(first).toMatchObject({ page: { results: { length: 60 } } })
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(held(proofs)).toEqual([])
    // Each refusal is confirmed: the plain list is answered, and the same query is refused again.
    expect(service.requests.length).toBeLessThanOrEqual(30)
    service.requests.length = 0
    await readFirstPage(session, 'listPayments', {})
    expect(service.requests.map(({ path }) => path)).toEqual(['/Payments'])
  })

  it('tells fields apart: what works for one is not taken for granted for another', async () => {
    answer = (terms) => honest({ ...terms, filter: terms.filter?.includes('status') ? terms.filter : null })
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(proofs).toMatchObject({ 'eq:status': true, 'eq:test': false, 'contains:customer/name': false })
  })

  it('is not deceived by a filter that finds too much', async () => {
    answer = (terms) =>
      terms.filter
        ? reply([...rows.filter((row) => evaluate(terms.filter ?? '', row)), ...rows.slice(0, 1)])
        : reply(rows)
    expect(held(await probeCapabilities(session, 'listPayments'))).toEqual([])
  })

  it('finds out that a service tells capital letters from small ones, and still has it look', async () => {
    answer = (terms) => {
      const wanted = /^contains\(([\w/]+),'(.*)'\)$/u.exec(terms.filter ?? '')
      if (!wanted) return honest(terms)
      return reply(rows.filter((row) => String(getField(row, wanted[1] ?? '')).includes(wanted[2] ?? '')))
    }
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(proofs).toMatchObject({ 'contains:customer/name': true, 'anycase:customer/name': false })
    expect(proofs).toMatchObject({ 'contains:reference': true, 'anycase:reference': false })
  })

  it('takes it that the case does not matter where no text has a letter', async () => {
    const numbered = rows.map((row, index) => ({ ...row, reference: String(1_000 + index) }))
    answer = ({ filter }) => reply(filter ? numbered.filter((row) => evaluate(filter, row)) : numbered)
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(proofs).toMatchObject({ 'contains:reference': true, 'anycase:reference': true })
  })

  it('proves no filter by states that are spelled otherwise than the desk would ask for them', async () => {
    const lower = rows.map((row) => ({ ...row, status: row.status.toLowerCase() }))
    answer = ({ filter }) => reply(filter ? lower.filter((row) => evaluate(filter, row)) : lower)
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(proofs).toMatchObject({ 'eq:status': false, 'eq:mandate/scheme': true })
  })

  it('is not deceived by an order that knows one direction only', async () => {
    answer = (terms) => honest({ ...terms, orderby: terms.orderby?.split(' ')[0] ?? null })
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(held(proofs).filter((ability) => ability.startsWith('order:'))).toEqual([])
  })

  it('tells a service that fails over words it does not know from one that is out of order', async () => {
    answer = (terms) => (terms.filter ? { status: 500 } : honest(terms))
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(proofs).toMatchObject({ 'eq:status': false, 'contains:reference': false, 'order:createdAt': true })
    const filters = service.requests.filter(({ path }) => path.includes('filter='))
    expect(filters.length).toBeLessThanOrEqual(6)
    expect(await readCapabilities(session, 'listPayments')).toMatchObject({ 'eq:status': false })
    // Nor is it recorded as the service's latest failure.
    expect(readLastFailure(session.scope.connectionId)).toBeNull()
  })

  it('does not take one passing refusal for an answer', async () => {
    let refusals = 1
    answer = (terms) => (terms.filter && refusals-- > 0 ? { status: 400 } : honest(terms))
    const proofs = await probeCapabilities(session, 'listPayments')
    expect(held(proofs).toSorted()).toEqual([...usedCapabilities.listPayments].toSorted())
  })

  it('tries again after an hour what was missing, and after a day what was found', async () => {
    answer = (terms) => (terms.filter?.includes('status') ? { status: 400 } : honest(terms))
    await probeCapabilities(session, 'listPayments')
    expect(await readCapabilities(session, 'listPayments')).toMatchObject({ 'eq:status': false, 'eq:id': true })
    await store.db.update(capabilities).set({ provenAt: sql`now() - interval '1 hour'` })
    const afterAnHour = await readCapabilities(session, 'listPayments')
    expect([afterAnHour['eq:status'], afterAnHour['eq:id']]).toEqual([undefined, true])
    answer = honest
    const later = await probeCapabilities(session, 'listPayments', Date.now() + 3_600_000)
    expect(later).toMatchObject({ 'eq:status': true, 'eq:id': true })
    await store.db.update(capabilities).set({ provenAt: sql`now() - interval '1 day'` })
    expect(await readCapabilities(session, 'listPayments')).toEqual({})
  })

  it('decides nothing while the service is out of order', async () => {
    answer = () => ({ status: 503 })
    expect(await probeCapabilities(session, 'listPayments')).toEqual({})
    answer = honest
    const later = await probeCapabilities(session, 'listPayments', Date.now() + 61_000)
    expect(later['eq:status']).toBe(true)
  })

  it('gives a proof up on contradiction, but not every second', async () => {
    await probeCapabilities(session, 'listPayments')
    await invalidateCapabilities(session, 'listPayments', ['eq:status'])
    expect((await readCapabilities(session, 'listPayments'))['eq:status']).toBe(true)
    const later = Date.now() + 61_000
    await invalidateCapabilities(session, 'listPayments', ['eq:status'], later)
    expect(await readCapabilities(session, 'listPayments')).not.toHaveProperty('eq:status')
    answer = () => reply(rows)
    expect((await probeCapabilities(session, 'listPayments', later))['eq:status']).toBe(false)
  })
})

describe('the first page', () => {
  it('is asked for with one hundred rows and what was proven, and nothing before it', async () => {
    const first = await readFirstPage(session, 'listPayments', {
      filter: "status eq 'Pending'",
      orderby: 'amount desc',
    })
    expect(first).toMatchObject({ page: { continuation: { kind: 'end' } } })
    expect(service.requests.map(({ path }) => new URL(path, 'http://service').searchParams.toString())).toEqual([
      new URLSearchParams({ filter: "status eq 'Pending'", orderby: 'amount desc', limit: '100' }).toString(),
    ])
  })

  it('is left to the browser, which notes the contradiction, where a row does not match the filter', async () => {
    const asked: Filter = { kind: 'compare', field: 'status', comparison: 'eq', value: 'Pending' }
    const ask = { filter: formatFilter(asked) }
    expect(await readFirstPage(session, 'listPayments', ask, asked)).toMatchObject({ page: expect.anything() })
    answer = () => reply(rows)
    expect(await readFirstPage(session, 'listPayments', ask, asked)).toBeNull()
  })

  it('is left to the browser when the service takes longer than a second and a half', async () => {
    answer = () => ({ ...reply(rows), delay: 3_000 })
    expect(await readFirstPage(session, 'listPayments', {})).toBeNull()
  })

  it.each([
    [500, 502, 'upstream-error'],
    [401, 502, 'upstream-credential'],
    [403, 403, 'upstream-forbidden'],
    [429, 429, 'upstream-slow-down'],
  ])('tells a failure %i as %i %s and does not throw', async (status, told, code) => {
    answer = () => ({ status })
    const first = await readFirstPage(session, 'listPayments', {})
    expect(first).toMatchObject({ failure: { status: told, code, problem: { status: told } } })
  })
})
