import { type Settings, SettingsError } from './settings'

type CredentialSettings = Pick<Settings, 'UPSTREAM_AUTH' | 'UPSTREAM_TOKEN' | 'UPSTREAM_HEADER'>

/** Shorter secrets are not searched for: replacing them would eat ordinary words. */
const shortestRedacted = 6

/** Headers that frame a message or are ours to set; a credential must not travel in one of them. */
const reservedHeaders =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|idempotency-key|traceparent|user-agent)$/iu

/**
 * What proves the desk to a service. The secret sits in private fields, so that neither a log line, nor
 * JSON, nor a page's payload can carry it: only `apply` gives it out, onto a request to the service.
 */
export class Credential {
  readonly #header: readonly [name: string, value: string] | null
  readonly #secrets: readonly string[]

  constructor(header: readonly [name: string, value: string] | null, secrets: readonly string[]) {
    this.#header = header
    const spellings = secrets.flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ])
    this.#secrets = [...new Set(spellings)].filter((secret) => secret.length >= shortestRedacted)
  }

  /** Adds the credential's header to the headers of a request to the service. */
  apply(headers: Record<string, string>): void {
    if (this.#header) headers[this.#header[0].toLowerCase()] = this.#header[1]
  }

  /** Takes the credential out of text that the service sent, should it ever repeat it. */
  redact(text: string): string {
    return this.#secrets.reduce(
      (clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, '[redacted]') : clean),
      text,
    )
  }
}

function assertHeaderValue(value: string): void {
  if (/[^\x20-\x7E\x80-\xFF]/u.test(value))
    throw new SettingsError(['UPSTREAM_TOKEN must be one line of plain characters'])
}

/**
 * The credential that the settings name: `basic` (token as user name, or `user:password`; RFC 7617),
 * `bearer` (RFC 6750), `header` (the whole value of UPSTREAM_HEADER) or none. Throws SettingsError.
 */
export function makeCredential({
  UPSTREAM_AUTH,
  UPSTREAM_TOKEN = '',
  UPSTREAM_HEADER,
}: CredentialSettings): Credential {
  switch (UPSTREAM_AUTH) {
    case 'basic': {
      const pair = UPSTREAM_TOKEN.includes(':') ? UPSTREAM_TOKEN : `${UPSTREAM_TOKEN}:`
      const encoded = Buffer.from(pair, 'utf8').toString('base64')
      return new Credential(['authorization', `Basic ${encoded}`], [encoded, pair, ...pair.split(':').filter(Boolean)])
    }
    case 'bearer':
      assertHeaderValue(UPSTREAM_TOKEN)
      return new Credential(['authorization', `Bearer ${UPSTREAM_TOKEN}`], [UPSTREAM_TOKEN])
    case 'header':
      assertHeaderValue(UPSTREAM_TOKEN)
      if (reservedHeaders.test(UPSTREAM_HEADER))
        throw new SettingsError([`UPSTREAM_HEADER must not be ${UPSTREAM_HEADER}`])
      return new Credential([UPSTREAM_HEADER, UPSTREAM_TOKEN], [UPSTREAM_TOKEN])
    case 'none':
      return new Credential(null, [])
    default:
      throw new SettingsError([`UPSTREAM_AUTH ${UPSTREAM_AUTH} is not supported yet`])
  }
}
