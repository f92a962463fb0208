import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { explainAddress } from '@/lib/api-contract/callback-address'
import type { Database } from '@/lib/database/database'
import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import { AppError } from '../runtime/app-error'
import { getSettings, type Settings } from '../runtime/settings'
import { currentKeyId, decryptSecret, encryptSecret, listKeyIds } from '../store/encryption'
import { connections, defaultConnectionId } from '../store/schema'
import { type Connection, dropConnection, findCachedConnection, setConnection } from './connection'
import { Credential, makeCredential } from './credentials'
import * as m from '@/lib/messages/m'

/** Whether an address has the host and port that the settings themselves name. */
export function isOwnNetwork(url: URL, { UPSTREAM_URL, SERVICE_PORT }: Settings): boolean {
  return url.origin === new URL(UPSTREAM_URL ?? `http://127.0.0.1:${SERVICE_PORT}`).origin
}

/**
 * Why a service's address is refused, as a predicate for the field's name; null when it is accepted. Only public https,
 * so that users cannot reach the desk's own network, except at the host and port of the settings. The resolved address
 * is checked at each connection.
 */
export function explainBaseUrl(text: string, settings: Settings): string | null {
  if (!URL.canParse(text)) return m.fields_mustBeAServiceAddress()
  const url = new URL(text)
  if (url.search !== '' || text.includes('?')) return m.fields_mustNotHoldAQuery()
  const own = isOwnNetwork(url, settings) ? text : null
  return explainAddress(text, { known: [], own })
}

export type ConnectionRow = typeof connections.$inferSelect

/** Names the connection, so that a sealed text moved to another row cannot be opened. */
export const credentialPurpose = (connectionId: string) => `credential of connection ${connectionId}`

/** The columns that hold an encrypted credential. */
export function encryptCredential(connectionId: string, secret: string | undefined) {
  return secret === undefined
    ? { credential: null, credentialKey: null }
    : { credential: encryptSecret(secret, credentialPurpose(connectionId)), credentialKey: currentKeyId() }
}

/** Why a connection has no working credential; null when it has. */
export function explainUnreadableCredential({ connectionId, credential, credentialKey }: ConnectionRow): string | null {
  if (credential === null) return null
  if (!listKeyIds().includes(credentialKey ?? '')) return m.refusals_secretWasChangedSince()
  return decryptSecret(credential, credentialPurpose(connectionId)) === null
    ? m.refusals_storedCredentialCannotBeRead()
    : null
}

/** Stands in for an unreadable credential: every request fails before it is sent. */
class LockedCredential extends Credential {
  /** `explain` is called for each reader, in their language. */
  constructor(readonly explain: () => string | null) {
    super(null, [])
  }

  override apply(): Promise<void> {
    const detail = this.explain()
    return Promise.reject(new AppError('upstream-credential', { ...(detail !== null && { detail }), written: false }))
  }
}

/** The credential of stored settings and a secret. Throws SettingsError when they don't fit. */
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

/** A stored connection; when its credential is unreadable, its requests fail unsent. */
export function openConnection(row: ConnectionRow & { settings: ConnectionSettings }): Connection {
  const { connectionId, name, settings, credential, revision } = row
  const explain = () => explainUnreadableCredential(row)
  const secret = credential === null ? null : decryptSecret(credential, credentialPurpose(connectionId))
  const { amounts, cancellable, cancelled, final, mode } = settings
  const baseUrl = new URL(settings.baseUrl)
  return {
    connectionId,
    name,
    baseUrl,
    credential:
      explain() === null ? makeStoredCredential(settings, secret ?? undefined) : new LockedCredential(explain),
    rules: { amounts, cancellable, cancelled, final },
    mode,
    isGuarded: !isOwnNetwork(baseUrl, getSettings()),
    revision,
  }
}

/**
 * Updates the cached connection to the stored row, unless it already has this `revision`. Other processes may have
 * changed it.
 */
export async function refreshConnection(
  db: Database,
  { connectionId, revision }: { connectionId: string; revision: number },
): Promise<void> {
  if (connectionId === defaultConnectionId || findCachedConnection(connectionId)?.revision === revision) return
  const [row] = await db
    .select()
    .from(connections)
    .where(and(eq(connections.connectionId, connectionId), isNull(connections.removedAt)))
  if (row?.settings) setConnection(openConnection({ ...row, settings: row.settings }))
  else dropConnection(connectionId)
}

/** All connections that users added and did not remove, refreshed. */
export async function refreshConnections(db: Database): Promise<Connection[]> {
  const rows = await db
    .select({ connectionId: connections.connectionId, revision: connections.revision })
    .from(connections)
    .where(and(isNull(connections.removedAt), isNotNull(connections.settings)))
  for (const row of rows) await refreshConnection(db, row)
  return rows
    .map(({ connectionId }) => findCachedConnection(connectionId))
    .filter((connection) => connection !== undefined)
}
