import { handleAuth } from '../auth-handler'
import { peerHeader } from '../peer-address'

/** The desk's address in tests of signing in. */
export const testOrigin = 'http://127.0.0.1:3000'

const form = 'application/x-www-form-urlencoded'

type Options = { headers?: Record<string, string>; body?: Record<string, unknown>; type?: string }

function writeBody(body: Record<string, unknown>, type: string): string {
  if (type === 'application/json') return JSON.stringify(body)
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
}

/** A visitor that keeps cookies as a browser does and talks to `/api/auth` through real Request objects. */
export class AuthClient {
  readonly cookies = new Map<string, string>()
  /** Every Set-Cookie header that was answered, as sent. */
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
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
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

  #keep(line: string): void {
    this.setCookies.push(line)
    const [pair = '', ...attributes] = line.split('; ')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    if (value === '' || attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
