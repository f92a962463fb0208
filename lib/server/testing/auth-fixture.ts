import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { flushRefusedSignIns } from '../activity-log/refused-sign-ins'
import { handleAuth } from '../auth/next-auth'
import { readSessionFrom, type Session } from '../auth/session'
import { createUser } from '../auth/users'
import { peerHeader } from '../runtime/peer-address'
import { attempts, defaultConnectionId } from '../store/schema'
import { setMemoryStore } from './store-fixture'

/** The desk's address in sign-in tests. */
export const testOrigin = 'http://127.0.0.1:3000'

const form = 'application/x-www-form-urlencoded'

type Options = { headers?: Record<string, string>; body?: Record<string, unknown>; type?: string }

function writeBody(body: Record<string, unknown>, type: string): string {
  if (type === 'application/json') return JSON.stringify(body)
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
}

/** A client that keeps cookies like a browser and calls `/api/auth` with real Request objects. */
export class AuthClient {
  readonly cookies = new Map<string, string>()
  /** All received Set-Cookie headers, verbatim. */
  readonly setCookies: string[] = []

  constructor(readonly peer = '192.0.2.1') {}

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async send(
    method: 'GET' | 'POST',
    path: string,
    { headers = {}, body, type = form }: Options = {},
  ): Promise<Response> {
    const request = new Request(`${testOrigin}/api/auth/${path}`, {
      method,
      headers: {
        ...(this.cookies.size > 0 && { cookie: this.cookieHeader }),
        [peerHeader]: this.peer,
        ...(body && { 'content-type': type }),
        ...headers,
      },
      ...(body && { body: writeBody(body, type) }),
    })
    const pathname = new URL(request.url).pathname.slice('/api/auth/'.length)
    const response = await handleAuth(request, pathname.split('/'))
    this.keep(response)
    return response
  }

  /** Takes the cookies of a reply, as a browser does. */
  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) this.#keepLine(line)
  }

  async post(path: string, fields: Record<string, unknown> = {}, options: Options = {}): Promise<Response> {
    const { csrfToken } = await (await this.send('GET', 'csrf')).json()
    return this.send('POST', path, { ...options, body: { csrfToken, json: 'true', ...fields } })
  }

  signIn(email: string, password: string, callbackUrl = '/'): Promise<Response> {
    return this.post('callback/credentials', { email, password, callbackUrl })
  }

  signOut(): Promise<Response> {
    return this.post('signout')
  }

  #keepLine(line: string): void {
    this.setCookies.push(line)
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

export const testSecret = 'a secret for tests that is long enough'
export const sessionCookie = 'next-auth.session-token'

/** The only account of a test's desk. */
export const supporter = { email: 'support@example.com', password: 'moss-covered lantern' }

/** A desk with one supporter for the tests of a file; password attempts are reset before each. */
export class AuthDesk {
  #store: OpenDatabase | undefined
  userId = ''

  /** `address`: the desk's own, for what depends on its host name. */
  constructor(address = testOrigin) {
    beforeAll(async () => {
      process.env.NEXTAUTH_SECRET = testSecret
      process.env.NEXTAUTH_URL = address
      this.#store = await setMemoryStore()
      this.userId = await this.addUser(supporter.email, 'support')
    })
    beforeEach(async () => {
      await flushRefusedSignIns({ summed: true })
      await this.db.delete(attempts)
    })
    afterAll(() => this.#store?.close())
  }

  get db(): OpenDatabase['db'] {
    if (!this.#store) throw new Error('the desk is not open yet')
    return this.#store.db
  }

  /** Adds an account with the supporter's password. */
  addUser(email: string, role: 'admin' | 'support' | 'viewer'): Promise<string> {
    return createUser(this.db, { email, password: supporter.password, role, connectionId: defaultConnectionId })
  }

  async signIn(email = supporter.email): Promise<AuthClient> {
    const client = new AuthClient()
    const response = await client.signIn(email, supporter.password)
    if (!response.ok) throw new Error(`signing in was answered ${response.status}`)
    return client
  }

  readSession(client: AuthClient): Promise<Session | null> {
    return readSessionFrom(client.cookies.get(sessionCookie))
  }
}

const account = { email: 'ann@example.com', password: 'moss-covered lantern' }

/** An in-memory desk with a signed-in admin, for the tests of a file; its service doesn't respond. */
export class VisitorDesk {
  readonly visitor = new AuthClient()
  readonly account = account
  userId = ''
  #store: OpenDatabase | undefined

  constructor() {
    beforeAll(async () => {
      vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      Object.assign(process.env, {
        UPSTREAM_URL: 'http://127.0.0.1:9',
        UPSTREAM_TOKEN: 'a-token-for-tests',
        NEXTAUTH_SECRET: 'a secret for tests that is long enough',
        NEXTAUTH_URL: testOrigin,
      })
      this.#store = await setMemoryStore()
      this.userId = await createUser(this.db, { ...account, role: 'admin', connectionId: defaultConnectionId })
      await this.visitor.signIn(account.email, account.password)
    })
    afterAll(() => this.#store?.close())
  }

  get db(): OpenDatabase['db'] {
    if (!this.#store) throw new Error('the store is not open yet')
    return this.#store.db
  }
}
