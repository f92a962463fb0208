import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { at, items, startTestService, type TestService, testToken } from '../testing/test-service'
import { makeChecker, makeSender, type RawReply } from './check-replies'
import { type Case, makeCases } from './make-cases'
import { type OpenDocument, openDocument, type Operation } from './openapi-document'

/** Resolves no names, so that nothing is sent to subscribed addresses. */
const resolve = () => Promise.reject(new Error('This test has no resolver'))

/** Starts a service without rate limits and reads the document it serves. */
export async function startConformance(
  seedPayments: number,
): Promise<{ service: TestService; document: OpenDocument }> {
  const service = await startTestService({
    seedPayments,
    requestsPerMinute: 1_000_000_000,
    wrongCredentialsPerMinute: 1_000_000_000,
    resolve,
  })
  const reply = await service.call('GET', '/openapi.json', { token: null })
  return { service, document: openDocument(reply.text) }
}

type FindTarget = () => Promise<string>

/** Cycles through the values at some paths of a list's first items. Reads the list once. */
function fromList(service: TestService, path: string, places: readonly (readonly string[])[]): FindTarget {
  let values: string[] | undefined
  let turn = 0
  return async () => {
    values ??= items((await service.call('GET', path)).json).flatMap((item) =>
      places.map((place) => String(at(item, ...place))),
    )
    turn += 1
    const value = values[turn % values.length]
    if (value === undefined) throw new Error(`${path} lists nothing`)
    return value
  }
}

/** Creates a new resource each time, for operations that consume it. */
function fromCreation(service: TestService, path: string, body: unknown, kind: 'id' | 'handle'): FindTarget {
  return async () => String(at((await service.call('POST', path, { body })).json, kind))
}

/** Alternates, so that a deletion meets both resources that can be deleted and ones that cannot. */
function alternate(one: FindTarget, other: FindTarget): FindTarget {
  let turn = 0
  return () => {
    turn += 1
    return turn % 2 === 0 ? one() : other()
  }
}

const pending = `/Payments?limit=100&filter=${encodeURIComponent("status eq 'Pending'")}`

/** Existing ids and handles for each operation with a path parameter. */
export function findExisting(service: TestService): Record<string, FindTarget> {
  const customer = fromList(service, '/Customers?limit=100', [['id'], ['handle']])
  const newCustomer = fromCreation(service, '/Customers', { name: 'Short Life' }, 'id')
  const agreement = { scheme: 'nets-bs', dataSourceHandle: randomUUID() }
  return {
    getCustomer: customer,
    updateCustomer: customer,
    // Customers with open payments are refused; any other would be gone the second time.
    deleteCustomer: alternate(newCustomer, fromList(service, pending, [['customer', 'id']])),
    getMandate: fromList(service, '/Customers/mandates?limit=100', [['id'], ['handle']]),
    getAgreement: alternate(
      fromCreation(service, '/Merchants/agreements', agreement, 'id'),
      fromCreation(service, '/Merchants/agreements', agreement, 'handle'),
    ),
    deleteAgreement: fromCreation(service, '/Merchants/agreements', agreement, 'id'),
    cancelPayment: alternate(
      fromList(service, pending, [['id'], ['handle']]),
      fromList(service, '/Payments?limit=100', [['id'], ['handle']]),
    ),
  }
}

/** The statuses that each flaw must be answered with. */
const expectedStatuses: Record<string, number[]> = {
  credential: [401],
  parameter: [400],
  query: [400],
  body: [400],
  media: [415],
  key: [400],
}

function headersOf({ accept, authorization, key, body }: Case): Record<string, string> {
  const right = `Basic ${btoa(`${testToken}:`)}`
  return Object.fromEntries(
    Object.entries({
      accept,
      authorization: authorization === 'right' ? right : authorization,
      'idempotency-key': key === 'fresh' ? randomUUID() : key,
      'content-type': body?.type ?? null,
      'content-encoding': body?.encoding ?? null,
    }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}

function requireStatus(one: Case, { status, text }: RawReply): void {
  if (status >= 500) throw new Error(`${status}: ${text.slice(0, 300)}`)
  const expected = one.flaw === null ? undefined : expectedStatuses[one.flaw]
  if (expected && !expected.includes(status))
    throw new Error(`A wrong ${one.flaw} is answered with ${status}: ${text.slice(0, 300)}`)
  const isValid = one.flaw === null || one.flaw === 'hostile'
  const accepted = [200, 201, 202, 204, 404, 409, ...(one.flaw === 'hostile' ? [400] : [])]
  if (isValid && !accepted.includes(status))
    throw new Error(`A sound request is answered with ${status}: ${text.slice(0, 300)}`)
  if (one.parameter?.kind !== 'text' && isValid && status === 404) throw new Error('What exists is answered with 404')
}

/** Checks that repeating a request with the same key returns the first reply. */
function requireReplay(first: RawReply, again: RawReply): void {
  const expected = first.status < 300 ? 208 : first.status
  if (again.status !== expected) throw new Error(`A replay of ${first.status} is answered with ${again.status}`)
  const bodyOf = ({ text }: RawReply): unknown => (text === '' ? null : JSON.parse(text))
  const same = (name: string) => JSON.stringify(at(bodyOf(first), name)) === JSON.stringify(at(bodyOf(again), name))
  if (!['id', 'name', 'type', 'createdAt'].every(same)) throw new Error('A replay answers something else')
}

/** Number of replies by status. */
export type Tally = Map<number, number>

/** Number of successful replies: a run without any would prove little. */
export function countSuccesses(tally: Tally): number {
  return [...tally].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
}

function findOperation({ operations }: OpenDocument, id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}

/**
 * Sends `runs` generated requests for one operation to a running service and checks every reply against the document.
 * With a `seed` the requests are the same each time. Throws the smallest request found whose reply is not as documented.
 */
export async function driveOperation(
  { service, document, id }: { service: TestService; document: OpenDocument; id: string },
  { runs, seed }: { runs: number; seed?: number },
): Promise<Tally> {
  const operation = findOperation(document, id)
  const check = makeChecker(document)
  const { send, close } = makeSender(service.url)
  const existing = findExisting(service)[id]
  const tally: Tally = new Map()

  const run = async (one: Case) => {
    const named = one.parameter?.kind === 'text' ? one.parameter.encoded : ((await existing?.()) ?? '')
    const query = one.query
      .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
      .join('&')
    const path = `${operation.path.replace(/\{\w+\}/u, () => named)}${query === '' ? '' : `?${query}`}`
    const raw = { method: operation.method, path, headers: headersOf(one), body: one.body?.bytes ?? null }
    const reply = await send(raw)
    tally.set(reply.status, (tally.get(reply.status) ?? 0) + 1)
    requireStatus(one, reply)
    check(operation, reply)
    if (one.key !== null && one.flaw === null) {
      const again = await send(raw)
      check(operation, again)
      requireReplay(reply, again)
    }
    const next = reply.status === 200 && at(parseOrNull(reply.text), 'nextOffset')
    if (typeof next === 'string') {
      const following = await send({
        ...raw,
        path: `${path}${query === '' ? '?' : '&'}after=${encodeURIComponent(next)}`,
      })
      if (following.status !== 200)
        throw new Error(`The next page is answered with ${following.status}: ${following.text}`)
      check(operation, following)
    }
  }

  try {
    await fc.assert(fc.asyncProperty(makeCases(operation, document), run), { numRuns: runs, seed, endOnFailure: false })
  } finally {
    close()
  }
  return tally
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
