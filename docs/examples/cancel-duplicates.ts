/*
 * Cancels the pending payments whose references are given, as one bulk, and prints what became of each.
 *
 *   DESK=https://desk.example TOKEN=dd_… npx tsx cancel-duplicates.ts "Ordered twice" INV-1001 INV-1002
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { components } from './desk-api'

type Schemas = components['schemas']

const { DESK = '', TOKEN = '' } = process.env
const [reason = '', ...references] = process.argv.slice(2)

/** Calls the desk and waits as long as it asks to be left alone. Throws with the problem that it names. */
async function call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
  for (;;) {
    const response = await fetch(`${DESK}/api/desk${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok) return (await response.json()) as Reply
    const problem = (await response.json()) as Schemas['Problem']
    if (response.status !== 429) throw new Error([problem.title, problem.detail].filter(Boolean).join(': '))
    await wait(Number(response.headers.get('retry-after') ?? 1) * 1_000)
  }
}

/** Reads a bulk until it is in none of these states. */
async function follow({ id }: Schemas['Bulk'], passing: readonly Schemas['Bulk']['state'][]): Promise<Schemas['Bulk']> {
  for (;;) {
    const bulk = await call<Schemas['Bulk']>('GET', `/bulk/${id}`)
    if (!passing.includes(bulk.state)) return bulk
    await wait(500)
  }
}

const rows = references.map((given) => ({ given, reason: null }))
const made = await call<Schemas['Bulk']>('POST', '/bulk', { kind: 'list', name: 'cancel-duplicates', rows })
const ready = await follow(made, ['preparing'])
if (ready.state !== 'ready') throw new Error(`The list is ${ready.state}: ${ready.problem}`)
if (ready.count === 0) throw new Error('None of these payments can be cancelled.')

// What is confirmed is exactly the list that was read: the desk refuses any other.
const { count, digest, sums } = ready
const started = await call<Schemas['Bulk']>('POST', `/bulk/${made.id}/start`, { count, digest, sums, reason })
const ended = await follow(started, ['starting', 'running'])
if (ended.state === 'awaiting') console.log('A second person must approve it first.')

const { rows: results } = await call<Schemas['BulkRows']>('GET', `/bulk/${made.id}/rows`)
for (const { given, verdict, outcome } of results)
  console.log(given, verdict === 'cancellable' ? outcome : `not sent: ${verdict}`)
