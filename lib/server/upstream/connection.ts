import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import { type Credential, makeCredential, SessionCredential } from './credentials'
import { AppError } from '../runtime/app-error'
import { getSettings, type Settings, SettingsError } from '../runtime/settings'
import { defaultConnectionId } from '../store/schema'
import * as refusals from '@/lib/words/refusals'

/** How what a service says is read: the unit of its amounts, and what its payment states mean, in lower case. */
export type ConnectionRules = Pick<ConnectionSettings, 'amounts' | 'cancellable' | 'cancelled' | 'final'>

/** One merchant at one service: where it is, what proves the desk there, and how it is read. */
export type Connection = {
  connectionId: string
  name: string
  /** http or https, possibly with a path; never with a query, a fragment or a credential. */
  baseUrl: URL
  credential: Credential
  rules: ConnectionRules
  /** What whoever added it says its payments are; null for the one that the settings describe. */
  mode: 'live' | 'test' | null
  /** Reached only where its name resolves to public addresses: it was entered by a user of the desk. */
  isGuarded: boolean
  /** Of its row in the store. */
  revision: number
}

declare global {
  /** By connection; on globalThis because Next loads this module once per graph. */
  var debitdeskConnections: Map<string, Connection> | undefined
}

function getKept(): Map<string, Connection> {
  return (globalThis.debitdeskConnections ??= new Map())
}

/** As the embedded service's demo data call its merchant: no merchant has two names. */
const demoMerchant = 'Nordkyst Forsyning A/S'

/** The connection that the settings describe; without UPSTREAM_URL, the embedded service's. Throws SettingsError. */
export function makeConnection(settings: Settings): Connection {
  const embedded = settings.UPSTREAM_URL === undefined
  const isOwn = settings.UPSTREAM_AUTH === 'session'
  const baseUrl = new URL(settings.UPSTREAM_URL ?? `http://127.0.0.1:${settings.SERVICE_PORT}`)
  if (baseUrl.username || baseUrl.password)
    throw new SettingsError(['UPSTREAM_URL must not hold a credential: use UPSTREAM_TOKEN'])
  if (baseUrl.search || baseUrl.hash) throw new SettingsError(['UPSTREAM_URL must not hold a query or a fragment'])
  return {
    connectionId: defaultConnectionId,
    name: embedded ? demoMerchant : baseUrl.host,
    baseUrl,
    credential: isOwn
      ? new SessionCredential()
      : makeCredential(
          embedded ? { ...settings, UPSTREAM_AUTH: 'basic', UPSTREAM_TOKEN: settings.SERVICE_TOKEN } : settings,
        ),
    rules: {
      amounts: settings.UPSTREAM_AMOUNTS,
      cancellable: settings.UPSTREAM_CANCELLABLE,
      cancelled: settings.UPSTREAM_CANCELLED,
      final: settings.UPSTREAM_FINAL,
    },
    mode: null,
    isGuarded: false,
    revision: 0,
  }
}

/**
 * The connection with this id: `default` is the one of the settings, read once; any other was kept by
 * `refreshConnection` when a session or a worker of its merchant first came. Throws AppError 'not-found' for an id
 * that is not connected.
 */
export function getConnection(connectionId: string): Connection {
  const kept = getKept()
  const known = kept.get(connectionId)
  if (known) return known
  if (connectionId !== defaultConnectionId)
    throw new AppError('not-found', { detail: refusals.thisMerchantIsNotConnected })
  const made = makeConnection(getSettings())
  kept.set(connectionId, made)
  return made
}

/** The connection that this process keeps under an id, if it does. */
export function findCachedConnection(connectionId: string): Connection | undefined {
  return getKept().get(connectionId)
}

/** Keeps a connection for `getConnection`, in place of an earlier one. */
export function setConnection(connection: Connection): void {
  getKept().set(connection.connectionId, connection)
}

/** Forgets a connection that was removed. */
export function dropConnection(connectionId: string): void {
  getKept().delete(connectionId)
}
