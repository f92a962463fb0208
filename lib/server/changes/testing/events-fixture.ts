import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GET } from '@/app/api/desk/events/route'
import type { Role } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import { within } from '@/lib/database/testing/within'
import { createUser } from '../../auth/users'
import { startTestServer, type TestServer } from '../../http/testing/test-server'
import { connections, defaultConnectionId } from '../../store/schema'
import { AuthClient, testOrigin, testSecret } from '../../testing/auth-fixture'
import { setMemoryStore } from '../../testing/store-fixture'
import { encryptCredential } from '../../upstream/stored-connections'
import { EventReader } from './read-events'

const password = 'moss-covered lantern'
export const second = 'm-second'

/** Hands a request to the route as Next does, and its stream to the client. */
async function serveEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const reply = await GET(new Request(`${testOrigin}${request.url}`, { headers }), {
    params: Promise.resolve(undefined),
  })
  response.setHeaders(reply.headers)
  response.writeHead(reply.status)
  if (!reply.body) return void response.end()
  const reader = reply.body.getReader()
  response.once('close', () => void reader.cancel().catch(() => undefined))
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
    if (!response.write(chunk.value)) await once(response, 'drain')
  response.end()
}

/** A page's stream: its reply and what it was told. */
export type OpenPage = { status: number; headers: Headers; reader: EventReader; leave: () => void }

/** The event route behind the desk's real HTTP server, on a store with two merchants. */
export class EventsFixture {
  readonly #cookies = new Map<string, AuthClient>()
  readonly #pages: OpenPage[] = []

  private constructor(
    readonly store: OpenDatabase,
    readonly server: TestServer,
  ) {}

  /** On `store`, or a new one in memory. */
  static async start(store?: OpenDatabase): Promise<EventsFixture> {
    Object.assign(process.env, {
      NEXTAUTH_SECRET: testSecret,
      NEXTAUTH_URL: testOrigin,
      UPSTREAM_URL: 'http://127.0.0.1:9',
      UPSTREAM_TOKEN: 'a-token-for-tests',
    })
    const opened = store ?? (await setMemoryStore())
    globalThis.debitdeskStore = Promise.resolve(opened)
    const settings: ConnectionSettings = {
      baseUrl: 'https://127.0.0.1:9',
      auth: 'basic',
      header: 'X-Api-Key',
      amounts: 'hundredths',
      cancellable: ['pending'],
      cancelled: ['cancelled'],
      final: [],
      mode: 'test',
    }
    const secret = encryptCredential(second, 'a-token-of-the-second')
    await opened.db
      .insert(connections)
      .values({ connectionId: second, name: 'Second', settings, ...secret })
      .onConflictDoNothing()
    return new EventsFixture(opened, await startTestServer(serveEvents))
  }

  /** Adds an account and signs it in. */
  async addPerson(name: string, role: Role, connectionId = defaultConnectionId): Promise<string> {
    const email = `${name}@example.com`
    const userId = await createUser(this.store.db, { email, password, role, connectionId })
    const client = new AuthClient()
    await client.signIn(email, password)
    this.#cookies.set(name, client)
    return userId
  }

  signOut(name: string): Promise<Response> {
    const client = this.#cookies.get(name)
    if (!client) throw new Error(`${name} is not signed in`)
    return client.signOut()
  }

  /** Opens a page's stream. */
  async open(name: string, headers: Record<string, string> = {}): Promise<OpenPage> {
    const request = new AbortController()
    const cookie = this.#cookies.get(name)?.cookieHeader ?? ''
    const reply = await within(
      20_000,
      'the events to be answered',
      fetch(`http://127.0.0.1:${this.server.port}/api/desk/events`, {
        headers: { cookie, 'x-debitdesk': '1', ...headers },
        signal: request.signal,
      }),
    )
    const body = reply.body ?? new Blob([]).stream()
    const page = {
      status: reply.status,
      headers: reply.headers,
      reader: new EventReader(body),
      leave: () => request.abort(),
    }
    this.#pages.push(page)
    return page
  }

  async close(): Promise<void> {
    for (const page of this.#pages) page.leave()
    await this.server.close()
    await this.store.close()
  }
}
