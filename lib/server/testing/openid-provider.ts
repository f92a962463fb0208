import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** A user known to the provider: its claims, by subject. */
export type Person = Readonly<Record<string, unknown>>

export type OpenIdProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  people: Map<string, Person>
  /** Signs in this subject without a prompt; null shows the login page. */
  next: string | null
  /** Modifies the token endpoint's replies. */
  tamper: ((body: Record<string, unknown>) => void) | null
  /** The token endpoint's replies. */
  given: Record<string, unknown>[]
  /** Request counts by route, such as `token`. */
  counts: Map<string, number>
  /** Signs a token with these claims with the provider's key. */
  sign: (claims: object) => string
  close: () => Promise<void>
}

type Options = {
  /** The desk's address. */
  desk: string
  clientId?: string
  /** Lifetime of an access token in seconds. */
  lifetime?: number
  port?: number
}

function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    request.on('end', () => resolve(new URLSearchParams(text)))
    request.on('error', reject)
  })
}

const page = `<!doctype html><title>Provider</title><h1>Provider</h1><form method="post">
<label>Account <input name="account"></label> <button>Continue</button></form>`

/** Prompts for a subject or uses `next`; consents to everything. */
async function interact(self: OpenIdProvider, provider: Provider, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    const accountId = request.method === 'POST' ? (await readForm(request)).get('account') : self.next
    if (accountId === null) return void response.setHeader('content-type', 'text/html').end(page)
    return provider.interactionFinished(request, response, { login: { accountId } })
  }
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id ?? '' })
  grant.addOIDCScope(params.scope ?? '')
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}

/** A certified OpenID provider on loopback with the desk as its only client. For tests. */
export async function startOpenIdProvider({
  desk,
  clientId = 'desk',
  lifetime = 3_600,
  port = 0,
}: Options): Promise<OpenIdProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = 'a client secret for tests'
  const people = new Map<string, Person>()
  const kid = 'key-for-tests'
  const key = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const jwk = { ...key.privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${desk}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${desk}/sign-in`],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    scopes: ['openid', 'offline_access', 'payments'],
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [jwk] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    ttl: {
      AccessToken: lifetime,
      AuthorizationCode: 60,
      IdToken: 3_600,
      RefreshToken: 86_400,
      Session: 86_400,
      Interaction: 600,
      Grant: 86_400,
    },
    cookies: { keys: ['a key for the cookies of tests'] },
    findAccount: (_: unknown, sub: string) => {
      const claims = people.get(sub)
      return claims && { accountId: sub, claims: () => ({ ...claims, sub }) }
    },
  })
  const self: OpenIdProvider = {
    issuer,
    clientId,
    clientSecret,
    people,
    next: null,
    tamper: null,
    given: [],
    counts: new Map(),
    sign: (claims) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const text = `${part({ alg: 'RS256', kid })}.${part(claims)}`
      return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  provider.use(async (context, next) => {
    await next()
    const route = context.oidc?.route ?? 'other'
    self.counts.set(route, (self.counts.get(route) ?? 0) + 1)
    if (route !== 'token' || typeof context.body !== 'object' || context.body === null) return
    const body: Record<string, unknown> = { ...context.body }
    self.tamper?.(body)
    self.given.push(body)
    context.body = body
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!/^\/interaction\/[^/]+$/u.test(request.url ?? '')) return answer(request, response)
    interact(self, provider, request, response).catch(() => response.writeHead(500).end())
  })
  return self
}

const MAX_REDIRECTS = 10

/** Follows redirects from the desk like a browser, as this subject, until they lead back to the desk. For tests. */
export async function walkProvider(provider: OpenIdProvider, start: string, sub: string, desk: string): Promise<URL> {
  const jar = new Map<string, string>()
  let address = start
  for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
    provider.next = sub
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    const next = new URL(location, address)
    if (next.origin === desk) return next
    address = next.href
  }
  throw new Error('the provider goes in circles')
}
