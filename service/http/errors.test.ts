import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CommitUnknownError } from '@/lib/database/errors'
import { toProblem } from './errors'
import { Problem } from './problem'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => void vi.restoreAllMocks())

const failure = (code: string) => Object.assign(new Error('secret words of the database'), { code })

test.each(['ECONNREFUSED', '57P01', '08006', '53100', '40P01'])('%s of the database is passing: 503', (code) => {
  const problem = toProblem(new Error('Failed query', { cause: failure(code) }))
  expect([problem.status, problem.extras.headers]).toEqual([503, { 'retry-after': '5' }])
})

/** The driver's error for a query on a broken or closed connection. */
async function askAfter(end: (client: pg.Client) => Promise<unknown>): Promise<unknown> {
  const client = new pg.Client({ host: '127.0.0.1', port: 1 })
  client.on('error', () => undefined)
  await end(client).catch(() => undefined)
  return client.query('rollback').catch((error: unknown) => error)
}

test.each([
  ['broke', (client: pg.Client) => client.connect()],
  ['was closed', (client: pg.Client) => client.end()],
])('a query on a connection that %s is passing: 503', async (_name, end) => {
  expect(toProblem(new Error('Failed query', { cause: await askAfter(end) })).status).toBe(503)
})

test('a query that gets no answer in time is passing: 503', async () => {
  const client = new pg.Client({ host: '127.0.0.1', port: 1, query_timeout: 1 })
  const silence = await client.query('commit').catch((error: unknown) => error)
  expect(toProblem(new CommitUnknownError({ cause: silence })).status).toBe(503)
})

test.each([failure('42P01'), new Error('anything'), 'a text', null])('%s is internal, without details', (error) => {
  const problem = toProblem(error)
  expect([problem.status, problem.detail]).toEqual([500, 'The service failed unexpectedly.'])
})

test('a problem stays what it is, a refusal of the server becomes one', () => {
  const problem = new Problem('not-found', 'There is no such customer.')
  expect(toProblem(problem)).toBe(problem)
  expect(toProblem(failure('FST_ERR_CTP_BODY_TOO_LARGE')).status).toBe(413)
})
