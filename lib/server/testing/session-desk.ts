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

/** The desk's route handlers where the service is asked with the user's own token, a real provider and a service that takes only its tokens. */
export class SessionDesk {
  /** Of one payment, and its state at the service. */
  readonly payment = { id: randomUUID(), seen, status: 'Pending' }
  /** Payments for a bulk, by id: their states. */
  readonly many = new Map<string, string>(Array.from({ length: 20 }, () => [randomUUID(), 'Pending']))
  /** Tokens of the provider that the service refuses all the same. */
  readonly refused = new Set<string>()
  #service: FaultService | undefined

  private constructor(
    readonly provider: OpenIdProvider,
    readonly store: OpenDatabase,
    readonly files: readonly RouteFile[],
  ) {}

  static async start(): Promise<SessionDesk> {
    // Shorter than what a token is renewed before its end: each use renews it.
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

  /** Every access token that the provider has given. */
  given(): string[] {
    return this.provider.given.map(({ access_token: token }) => String(token))
  }

  /** The addresses of what was sent to the service by this method. */
  sent(method: string): string[] {
    return this.service.requests.filter((request) => request.method === method).map(({ path }) => path)
  }

  async signIn(sub: string): Promise<AuthClient> {
    const client = new AuthClient()
    const { url } = await (await client.post('signin/oidc', { callbackUrl: '/' })).json()
    await client.send('GET', `callback/oidc${(await walkProvider(this.provider, url, sub, testOrigin)).search}`)
    return client
  }

  /** Ends every sign-in of a person. */
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

  /** Asks a route of the desk; `params` are those that its folder names, by their values in the path. */
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
