import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { OpenDatabase } from '@/lib/database/database'
import { sessions, users } from '../store/schema'
import { AuthClient, testOrigin } from './auth-fixture'
import { type FaultService, startFaultService } from './fault-service'
import { setMemoryStore } from './store-fixture'
import { type OpenIdProvider, startOpenIdProvider, walkProvider } from './openid-provider'
import { loadRouteFiles, type RouteFile } from './route-files'

const seen = { amount: 100, currency: 'DKK', status: 'Pending', modifiedAt: '2026-11-01T00:00:00Z' }

/** The desk's route handlers with UPSTREAM_AUTH=session, a real provider and a service that only accepts its tokens. */
export class SessionDesk {
  /** A payment, and its state at the service. */
  readonly payment = { id: randomUUID(), seen, status: 'Pending' }
  /** The states of payments for a bulk, by id. */
  readonly many = new Map<string, string>(Array.from({ length: 20 }, () => [randomUUID(), 'Pending']))
  /** Valid tokens of the provider that the service refuses. */
  readonly refused = new Set<string>()
  #service: FaultService | undefined

  private constructor(
    readonly provider: OpenIdProvider,
    readonly store: OpenDatabase,
    readonly files: readonly RouteFile[],
  ) {}

  static async start(): Promise<SessionDesk> {
    // Shorter than the time before expiry at which tokens are renewed, so that each use renews it.
    const provider = await startOpenIdProvider({ desk: testOrigin, lifetime: 20 })
    for (const name of ['ann', 'ben'])
      provider.people.set(name, { email: `${name}@example.com`, email_verified: true, roles: ['admin'] })
    const files = await loadRouteFiles()
    const desk = new SessionDesk(provider, await setMemoryStore(), files)
    await desk.#startService()
    Object.assign(process.env, {
      UPSTREAM_URL: desk.service.url,
      UPSTREAM_AUTH: 'session',
      NEXTAUTH_SECRET: 'a secret for tests that is long enough',
      NEXTAUTH_URL: testOrigin,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    })
    return desk
  }

  get service(): FaultService {
    if (!this.#service) throw new Error('the service was not started')
    return this.#service
  }

  async #startService(): Promise<void> {
    this.#service = await startFaultService(({ method, headers, path }) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? ''
      if (!this.given().includes(token) || this.refused.has(token)) return { status: 401, body: '{}' }
      if (method === 'POST')
        return { status: 201, body: JSON.stringify({ id: randomUUID(), handle: 'cu_1' }), delay: 150 }
      if (method === 'DELETE') {
        const id = path.split('/').at(-1) ?? ''
        if (this.many.has(id)) this.many.set(id, 'Cancelled')
        else this.payment.status = 'Cancelling'
        return { status: 202, body: '', delay: this.many.has(id) ? 60 : 0 }
      }
      const states = [[this.payment.id, this.payment.status] as const, ...this.many]
      const all = states.map(([id, status]) => ({ ...seen, id, reference: 'r', status }))
      const results = path.includes('filter=') ? all.filter(({ id }) => path.includes(id)) : all
      return { body: JSON.stringify({ results, hasMore: false, nextOffset: null }) }
    })
  }

  /** All access tokens issued by the provider. */
  given(): string[] {
    return this.provider.given.map(({ access_token: token }) => String(token))
  }

  /** The addresses of the service's requests with this method. */
  sent(method: string): string[] {
    return this.service.requests.filter((request) => request.method === method).map(({ path }) => path)
  }

  async signIn(sub: string): Promise<AuthClient> {
    const client = new AuthClient()
    const { url } = await (await client.post('signin/oidc', { callbackUrl: '/' })).json()
    await client.send('GET', `callback/oidc${(await walkProvider(this.provider, url, sub, testOrigin)).search}`)
    return client
  }

  /** Ends all sign-ins of a user. */
  async signOut(name: string): Promise<void> {
    const [user] = await this.store.db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, `${name}@example.com`))
    await this.store.db
      .update(sessions)
      .set({ endedAt: new Date() })
      .where(eq(sessions.userId, user?.id ?? ''))
  }

  /** Calls a route of the desk; `params` are its folder's parameters. */
  async ask(client: AuthClient, path: string, body?: object, params: Record<string, string> = {}) {
    const method = body ? 'POST' : 'GET'
    const folder = Object.entries(params).reduce((found, [name, value]) => found.replace(value, `[${name}]`), path)
    const handler = this.files.find((file) => file.path === folder.split('?')[0])?.exported[method]
    if (!handler) throw new Error(`there is no ${method} ${path}`)
    const request = new Request(`${testOrigin}${path}`, {
      method,
      headers: {
        cookie: client.cookieHeader,
        origin: testOrigin,
        'x-debitdesk': '1',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const response = await handler(request, { params: Promise.resolve(params) })
    const text = await response.text()
    return { status: response.status, text, json: JSON.parse(text || 'null') }
  }

  async close(): Promise<void> {
    for (const { worker } of globalThis.debitdeskCancellationWorkers?.values() ?? []) await (await worker).stop()
    await this.provider.close()
    await this.service.close()
    await this.store.close()
  }
}
