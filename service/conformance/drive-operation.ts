import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { at, items, startTestService, type TestService, testToken } from '../testing/test-service'
import { makeChecker, makeSender, type RawReply } from './check-replies'
import { type Case, makeCases } from './make-cases'
import { type OpenDocument, openDocument, type Operation } from './openapi-document'

/** Nobody is found, so nothing is sent to the addresses that are subscribed. */
const resolve = () => Promise.reject(new Error('This test has no resolver'))

/** Starts a service without a rate limit, and reads the document that it serves. */
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

type Find = () => Promise<string>

/** Answers in turn what stands at some places of a list's first items; each list is read once. */
function fromList(service: TestService, path: string, places: readonly (readonly string[])[]): Find {
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

/** Makes a new resource each time, for verbs that use it up. */
function fromCreation(service: TestService, path: string, body: unknown, kind: 'id' | 'handle'): Find {
  return async () => String(at((await service.call('POST', path, { body })).json, kind))
}

/** Now one, now the other, so that a deletion meets what may go and what may not. */
function inTurn(one: Find, other: Find): Find {
  let turn = 0
  return () => {
    turn += 1
    return turn % 2 === 0 ? one() : other()
  }
}

const pending = `/Payments?limit=100&filter=${encodeURIComponent("status eq 'Pending'")}`

/** What is there to be addressed by each operation that has a path parameter. */
export function findExisting(service: TestService): Record<string, Find> {
  const customer = fromList(service, '/Customers?limit=100', [['id'], ['handle']])
  const newCustomer = fromCreation(service, '/Customers', { name: 'Short Life' }, 'id')
  const agreement = { scheme: 'nets-bs', dataSourceHandle: randomUUID() }
  return {
    getCustomer: customer,
    updateCustomer: customer,
    // Those of open payments are refused; any other would be gone the second time.
    deleteCustomer: inTurn(newCustomer, fromList(service, pending, [['customer', 'id']])),
    getMandate: fromList(service, '/Customers/mandates?limit=100', [['id'], ['handle']]),
    getAgreement: inTurn(
      fromCreation(service, '/Merchants/agreements', agreement, 'id'),
      fromCreation(service, '/Merchants/agreements', agreement, 'handle'),
    ),
    deleteAgreement: fromCreation(service, '/Merchants/agreements', agreement, 'id'),
    cancelPayment: inTurn(
      fromList(service, pending, [['id'], ['handle']]),
      fromList(service, '/Payments?limit=100', [['id'], ['handle']]),
    ),
  }
}

/** What each flaw must be answered with; a sound request is never answered with one of these. */
const answers: Record<string, number[]> = {
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
  const expected = one.flaw === null ? undefined : answers[one.flaw]
  if (expected && !expected.includes(status))
    throw new Error(`A wrong ${one.flaw} is answered with ${status}: ${text.slice(0, 300)}`)
  const sound = one.flaw === null || one.flaw === 'hostile'
  const bearable = [200, 201, 202, 204, 404, 409, ...(one.flaw === 'hostile' ? [400] : [])]
  if (sound && !bearable.includes(status))
    throw new Error(`A sound request is answered with ${status}: ${text.slice(0, 300)}`)
  if (one.parameter?.kind !== 'text' && sound && status === 404) throw new Error('What exists is answered with 404')
}

/** The same key and request again: nothing more happens, and the first answer comes back. */
function requireReplay(first: RawReply, again: RawReply): void {
  const expected = first.status < 300 ? 208 : first.status
  if (again.status !== expected) throw new Error(`A replay of ${first.status} is answered with ${again.status}`)
  const bodyOf = ({ text }: RawReply): unknown => (text === '' ? null : JSON.parse(text))
  const same = (name: string) => JSON.stringify(at(bodyOf(first), name)) === JSON.stringify(at(bodyOf(again), name))
  if (!['id', 'name', 'type', 'createdAt'].every(same)) throw new Error('A replay answers something else')
}

/** Replies by status, to see that a drive met more than one kind. */
export type Tally = Map<number, number>

/** How many replies were successes: a drive without any would prove little. */
export function countSuccesses(tally: Tally): number {
  return [...tally].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
}

function findOperation({ operations }: OpenDocument, id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found
}

/**
 * Drives one operation of the document with `runs` generated requests against a running service, checking
 * every reply against the document. With a `seed` the requests are the same each time. Throws the smallest
 * request found that is answered otherwise than documented.
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
