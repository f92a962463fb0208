import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { within } from '@/lib/database/testing/within'
import { type ServiceOptions, startService } from '../start-service'

/** A Postgres server for the tests. Unset: PGlite. */
const server = process.env.SERVICE_TEST_DATABASE_URL

async function runStatement(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

type DatabaseOptions = { folder?: string; databaseUrl?: string }

const databaseNames = new Map<string, string>()

/**
 * The database of a test's service: PGlite, or a new Postgres database when the suite runs on Postgres. Services with
 * the same folder share one database, as they would share the folder.
 */
export async function makeTestDatabase(
  given: DatabaseOptions,
): Promise<{ options: DatabaseOptions; drop: () => Promise<void> }> {
  if (!server || given.databaseUrl) return { options: {}, drop: async () => undefined }
  const known = given.folder && databaseNames.get(given.folder)
  const name = known ?? `test_${randomUUID().replaceAll('-', '')}`
  if (!known) await runStatement(`create database ${name}`)
  if (given.folder) databaseNames.set(given.folder, name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    options: { databaseUrl: url.href },
    drop: () => (given.folder ? Promise.resolve() : runStatement(`drop database ${name} with (force)`)),
  }
}

export const testToken = 'a-token-of-the-test-merchant'

export type Reply = { status: number; headers: Headers; text: string; json: unknown }

type RequestOptions = {
  body?: unknown
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  token?: string | null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The member of a JSON value at a path; undefined if missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let reached = value
  for (const name of path) {
    if (typeof reached !== 'object' || reached === null) return undefined
    reached = Object.entries(reached).find(([key]) => key === String(name))?.[1]
  }
  return reached
}

/** The items of a list reply. */
export function items(json: unknown): unknown[] {
  const results = at(json, 'results')
  return Array.isArray(results) ? results : []
}

/** Starts a real service on a free port and returns a client for it. `token: null` sends no credential. */
export async function startTestService(options: Partial<ServiceOptions> = {}) {
  const database = await makeTestDatabase(options)
  const service = await startService({ port: 0, token: testToken, seedPayments: 0, ...options, ...database.options })

  async function call(method: string, path: string, sent: RequestOptions = {}): Promise<Reply> {
    const token = sent.token === undefined ? testToken : sent.token
    const headers = new Headers(sent.headers)
    if (token !== null) headers.set('authorization', `Basic ${btoa(`${token}:`)}`)
    if (sent.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const reply = await fetch(`${service.url}${path}`, { method, headers, body })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, text, json: parse(text) }
  }

  /** Reads all pages of a list and returns their items. */
  async function walk(path: string, query: Record<string, string> = {}): Promise<unknown[]> {
    const found: unknown[] = []
    let after: string | null = null
    do {
      const parameters = new URLSearchParams({ limit: '100', ...query, ...(after === null ? {} : { after }) })
      const reply: Reply = await call('GET', `${path}?${parameters}`)
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text}`)
      found.push(...items(reply.json))
      const next = at(reply.json, 'nextOffset')
      after = at(reply.json, 'hasMore') === true && typeof next === 'string' ? next : null
    } while (after !== null)
    return found
  }

  const close = async () => {
    await service.close()
    await database.drop()
  }
  return { ...service, call, walk, close }
}

export type TestService = Awaited<ReturnType<typeof startTestService>>

/** Repeats `read` until it returns something other than undefined. Fails after `timeoutMs`, naming `what`. */
export async function until<Result>(
  what: string,
  read: () => Promise<Result | undefined>,
  timeoutMs = 45_000,
): Promise<Result> {
  let isOver = false
  const repeat = async (): Promise<Result> => {
    for (;;) {
      const result = await read()
      if (result !== undefined) return result
      if (isOver) throw new Error(`There was no ${what} in time`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const found = repeat()
  // Nobody handles a rejection after the deadline.
  found.catch(() => undefined)
  return within(timeoutMs, what, found).finally(() => {
    isOver = true
  })
}
