import { randomUUID } from 'node:crypto'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../fault-service'
import { say } from './deployment'

export type TokenService = {
  url: string
  clientId: string
  clientSecret: string
  requests: FaultService['requests']
  /** What to answer in place of a token; undefined again for a token. */
  answer: Script | undefined
  /** How long a token is said to live, in seconds; null says nothing. */
  expiresIn: number | null
  /** Whether the client may prove itself by HTTP Basic; else in the body only. */
  takesBasic: boolean
  isLive: (authorization: string | undefined) => boolean
  /** Takes every token back. */
  revoke: () => void
  close: () => Promise<void>
}

const clientId = 'desk:client'
const clientSecret = 'very secret+value'

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function provesItself({ headers }: RecordedRequest, form: URLSearchParams, takesBasic: boolean): boolean {
  if (form.get('client_id') === clientId && form.get('client_secret') === clientSecret) return true
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ')
  if (!takesBasic || scheme !== 'Basic') return false
  const [id = '', secret = ''] = Buffer.from(value, 'base64').toString('utf8').split(':')
  const read = (text: string) => new URLSearchParams(`v=${text}`).get('v')
  return read(id) === clientId && read(secret) === clientSecret
}

/** A token endpoint for client credentials (RFC 6749 section 4.4) on loopback. */
export async function startTokenService(): Promise<TokenService> {
  const live = new Set<string>()
  const service = await startFaultService((request): Script => {
    if (tokens.answer) return tokens.answer
    const form = new URLSearchParams(request.body)
    if (!provesItself(request, form, tokens.takesBasic)) return say({ error: 'invalid_client' }, 401)
    if (form.get('grant_type') !== 'client_credentials') return say({ error: 'unsupported_grant_type' }, 400)
    const token = `token-${randomUUID()}`
    live.add(token)
    const expires = tokens.expiresIn === null ? {} : { expires_in: tokens.expiresIn }
    return say({ access_token: token, token_type: 'bearer', scope: form.get('scope'), ...expires })
  })
  const tokens: TokenService = {
    url: `${service.url}/oauth/token`,
    clientId,
    clientSecret,
    requests: service.requests,
    answer: undefined,
    expiresIn: 3_600,
    takesBasic: true,
    isLive: (authorization) => live.has(authorization?.replace(/^Bearer /u, '') ?? ''),
    revoke: () => live.clear(),
    close: service.close,
  }
  return tokens
}
