import type { ConnectionSettings } from '@/lib/contract/connection-settings'
import type { Connection } from '../connection'
import { Credential, makeCredential } from '../credentials'
import { Failure } from '../failure'
import { listSealKeys, nameSealKey, openSecret, sealSecret } from '../seal-secret'
import { getSettings } from '../settings'
import type { connections } from '../store/schema'
import { isOwnNetwork } from './explain-base-url'

export type ConnectionRow = typeof connections.$inferSelect

/** Bound to its connection: sealed text that is moved to another row does not open there. */
export const credentialPurpose = (connectionId: string) => `credential of connection ${connectionId}`

/** The two columns that hold a secret. */
export function sealCredential(connectionId: string, secret: string | undefined) {
  return secret === undefined
    ? { credential: null, credentialKey: null }
    : { credential: sealSecret(secret, credentialPurpose(connectionId)), credentialKey: nameSealKey() }
}

/** Why a connection has no working credential, in words; null when it has. */
export function explainSealed({ connectionId, credential, credentialKey }: ConnectionRow): string | null {
  if (credential === null) return null
  if (!listSealKeys().includes(credentialKey ?? ''))
    return 'NEXTAUTH_SECRET was changed since the credential was entered: enter it again.'
  return openSecret(credential, credentialPurpose(connectionId)) === null
    ? 'The stored credential cannot be read: enter it again.'
    : null
}

/** Stands in for a credential that cannot be opened: nothing is ever sent with it. */
class LockedCredential extends Credential {
  constructor(readonly why: string) {
    super(null, [])
  }

  override apply(): Promise<void> {
    return Promise.reject(new Failure('upstream-credential', { detail: this.why, written: false }))
  }
}

/** The credential of stored settings with this secret. Throws SettingsError where they do not go together. */
export function makeStoredCredential(settings: ConnectionSettings, secret: string | undefined): Credential {
  const { auth, header, tokenUrl, clientId, scope } = settings
  const given = {
    UPSTREAM_AUTH: auth,
    UPSTREAM_TOKEN: secret,
    UPSTREAM_HEADER: header,
    UPSTREAM_TOKEN_URL: tokenUrl,
    UPSTREAM_CLIENT_ID: clientId,
    UPSTREAM_CLIENT_SECRET: secret,
    UPSTREAM_SCOPE: scope,
  }
  return makeCredential(given, tokenUrl !== undefined && !isOwnNetwork(new URL(tokenUrl), getSettings()))
}

/** A connection from what the store keeps of it; with a credential that sends nothing where it cannot be opened. */
export function openConnection(row: ConnectionRow & { settings: ConnectionSettings }): Connection {
  const { connectionId, name, settings, credential, revision } = row
  const why = explainSealed(row)
  const secret = credential === null ? null : openSecret(credential, credentialPurpose(connectionId))
  const { amounts, cancellable, cancelled, final, mode } = settings
  const baseUrl = new URL(settings.baseUrl)
  return {
    connectionId,
    name,
    baseUrl,
    credential: why === null ? makeStoredCredential(settings, secret ?? undefined) : new LockedCredential(why),
    rules: { amounts, cancellable, cancelled, final },
    mode,
    isGuarded: !isOwnNetwork(baseUrl, getSettings()),
    revision,
  }
}
