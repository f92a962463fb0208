import { randomUUID } from 'node:crypto'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from '../fault-service'
import { replyJson } from './deployment'

export type TokenService = {
  url: string
  clientId: string
  clientSecret: string
  requests: FaultService['requests']
  /** A reply instead of a token; undefined for a token. */
  answer: Script | undefined
  /** The stated lifetime in seconds; null to omit it. */
  expiresIn: number | null
  /** Whether HTTP Basic is accepted; else only credentials in the body. */
  takesBasic: boolean
  isLive: (authorization: string | undefined) => boolean
  /** Revokes all tokens. */
  revoke: () => void
  close: () => Promise<void>
}

const clientId = 'desk:client'
const clientSecret = 'very secret+value'

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function isAuthenticated({ headers }: RecordedRequest, form: URLSearchParams, takesBasic: boolean): boolean {
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
    if (!isAuthenticated(request, form, tokens.takesBasic)) return replyJson({ error: 'invalid_client' }, 401)
    if (form.get('grant_type') !== 'client_credentials') return replyJson({ error: 'unsupported_grant_type' }, 400)
    const token = `token-${randomUUID()}`
    live.add(token)
    const expires = tokens.expiresIn === null ? {} : { expires_in: tokens.expiresIn }
    return replyJson({ access_token: token, token_type: 'bearer', scope: form.get('scope'), ...expires })
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
