import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { vi } from 'vitest'
import type { Role } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import { runWorkers } from '../bulk-cancellations/worker'
import { openLedger } from '../cancellations/open-ledger'
import { peerHeader } from '../runtime/peer-address'
import { createUser } from '../auth/users'
import { defaultConnectionId } from '../store/schema'
import { AuthClient, testOrigin, testSecret } from './auth-fixture'
import { type PaymentLedgerService, startPaymentLedgerService } from './payment-ledger-service'
import { loadRouteFiles, type RouteFile } from './route-files'
import { setMemoryStore } from './store-fixture'

export const password = 'moss-covered lantern'

type Asked = {
  token?: string | undefined
  cookie?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

/** What a route replied; `code` is that of a problem record. */
export type Told = { status: number; code: string; body: Record<string, unknown>; text: string; headers: Headers }

async function readTold(response: Response): Promise<Told> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const body = isJson && text !== '' ? JSON.parse(text) : {}
  return {
    status: response.status,
    code: String(body.type).split('/').at(-1) ?? '',
    body,
    text,
    headers: response.headers,
  }
}

function isMatch(folder: string, path: string): Record<string, string> | null {
  const [wanted, given] = [folder.split('/'), path.slice(1).split('/')]
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const name = /^\[(\w+)\]$/u.exec(part)?.[1]
    if (name !== undefined) params[name] = decodeURIComponent(given[index] ?? '')
    else if (part !== given[index]) return null
  }
  return params
}

/** The desk's route handlers behind real HTTP, a memory store, a small payment service and its workers. */
export class TokenDesk {
  #stops: (() => unknown)[] = []

  private constructor(
    readonly store: OpenDatabase,
    readonly service: PaymentLedgerService,
    readonly files: readonly RouteFile[],
    /** All lines that were logged. */
    readonly logged: string[],
  ) {}

  static async start(): Promise<TokenDesk> {
    const logged: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      logged.push(String(chunk))
      return true
    })
    const service = await startPaymentLedgerService()
    Object.assign(process.env, {
      UPSTREAM_URL: service.url,
      UPSTREAM_TOKEN: 'a-token-for-tests',
      NEXTAUTH_SECRET: testSecret,
      NEXTAUTH_URL: testOrigin,
    })
    const desk = new TokenDesk(await setMemoryStore(), service, await loadRouteFiles(), logged)
    const workers = await runWorkers(await openLedger(defaultConnectionId))
    desk.#stops = [() => workers.stop(), () => service.close(), () => desk.store.close()]
    return desk
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) await stop()
    vi.restoreAllMocks()
  }

  get db(): OpenDatabase['db'] {
    return this.store.db
  }

  /** Adds a person with a role, and signs them in. */
  async addPerson(name: string, role: Role) {
    const email = `${name}@example.com`
    const userId = await createUser(this.db, { email, password, role, connectionId: defaultConnectionId })
    const client = new AuthClient()
    await client.signIn(email, password)
    return { userId, email, cookie: client.cookieHeader }
  }

  /** Makes a token as its person does on the page. */
  async makeToken(cookie: string, role: Role, name = 'nightly', days = 30) {
    const told = await this.ask('POST', '/api/desk/tokens', { cookie, body: { name, role, days } })
    const { text, token } = told.body as { text: string; token: { id: string } }
    return { ...told, token: text, id: token?.id }
  }

  /** Serves the handlers on a port of their own; returns their address. */
  async listen(): Promise<string> {
    const server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.#stops.unshift(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Asks by a token as scripts do, or by a cookie as the desk's pages do. */
  async ask(method: string, path: string, { token, cookie, body, headers = {} }: Asked = {}): Promise<Told> {
    const isPage = cookie !== undefined && token === undefined
    return readTold(
      await this.handle(
        new Request(`${testOrigin}${path}`, {
          method,
          headers: {
            ...(cookie !== undefined && { cookie }),
            ...(isPage && { origin: testOrigin, 'x-debitdesk': '1' }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    )
  }

  async handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    // A folder with a name wins over one with a parameter.
    const sorted = this.files.toSorted(
      ({ folder: one }, { folder: other }) => one.split('[').length - other.split('[').length,
    )
    for (const { folder, exported } of sorted) {
      const params = isMatch(folder, pathname)
      const handler = params && exported[request.method as keyof typeof exported]
      if (handler) return handler(request, { params: Promise.resolve(params) })
    }
    return new Response(null, { status: 404 })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders, socket } = request
    const headers = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    headers.set(peerHeader, socket.remoteAddress ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const reply = await this.handle(
      new Request(new URL(url, testOrigin), {
        method,
        headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    )
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    if (reply.body) await pipeline(Readable.fromWeb(reply.body as never), response).catch(() => undefined)
    else response.end()
  }
}
