import { Credential, makeCredential } from './credentials'
import { Failure } from './failure'
import { getSettings, type Settings, SettingsError } from './settings'
import { defaultConnectionId } from './store/default-connection'

/** One merchant at one service: where it is and what proves the desk there. */
export type Connection = {
  connectionId: string
  name: string
  /** http or https, possibly with a path; never with a query, a fragment or a credential. */
  baseUrl: URL
  credential: Credential
}

/** The connection that the settings describe; without UPSTREAM_URL, the embedded service's. Throws SettingsError. */
export function makeConnection(settings: Settings): Connection {
  const embedded = settings.UPSTREAM_URL === undefined
  const baseUrl = new URL(settings.UPSTREAM_URL ?? `http://127.0.0.1:${settings.SERVICE_PORT}`)
  if (baseUrl.username || baseUrl.password)
    throw new SettingsError(['UPSTREAM_URL must not hold a credential: use UPSTREAM_TOKEN'])
  if (baseUrl.search || baseUrl.hash) throw new SettingsError(['UPSTREAM_URL must not hold a query or a fragment'])
  return {
    connectionId: defaultConnectionId,
    name: embedded ? 'Embedded service' : baseUrl.host,
    baseUrl,
    credential: makeCredential(
      embedded ? { ...settings, UPSTREAM_AUTH: 'basic', UPSTREAM_TOKEN: settings.SERVICE_TOKEN } : settings,
    ),
  }
}

let connection: Connection | undefined

/**
 * The connection with this id: one today, from the settings, read once. Throws Failure 'not-found' for
 * an id that is not connected.
 */
export function getConnection(connectionId: string): Connection {
  connection ??= makeConnection(getSettings())
  if (connectionId !== connection.connectionId)
    throw new Failure('not-found', { detail: 'This merchant is not connected.' })
  return connection
}
