import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import { type Credential, makeCredential, SessionCredential } from './credentials'
import { AppError } from '../runtime/app-error'
import { getSettings, type Settings } from '../runtime/settings'
import { defaultConnectionId } from '../store/schema'
import { dropUpstreamStates } from './upstream-state'
import * as m from '@/lib/messages/m'

/** How replies of a service are read: the unit of amounts, and the meaning of payment states in lower case. */
export type ConnectionRules = Pick<ConnectionSettings, 'amounts' | 'cancellable' | 'cancelled' | 'final'>

/** A merchant's account at a service: its address, credential and reading rules. */
export type Connection = {
  connectionId: string
  name: string
  /** http or https, possibly with a path; never with a query, fragment or credential. */
  baseUrl: URL
  credential: Credential
  rules: ConnectionRules
  /** As declared by whoever added it; null for the connection of the settings. */
  mode: 'live' | 'test' | null
  /** Whether only public addresses may be reached, because a user of the desk entered it. */
  isGuarded: boolean
  /** The revision of its row in the store. */
  revision: number
}

declare global {
  /** By connection; on globalThis because Next loads this module once per graph. */
  var debitdeskConnections: Map<string, Connection> | undefined
}

function getConnectionMap(): Map<string, Connection> {
  return (globalThis.debitdeskConnections ??= new Map())
}

/** The embedded service's demo data use the same name, so that no merchant has two. */
const DEMO_MERCHANT = 'Nordkyst Forsyning A/S'

/** The connection described by the settings; the embedded service's without UPSTREAM_URL. Throws SettingsError. */
export function makeConnection(settings: Settings): Connection {
  const embedded = settings.UPSTREAM_URL === undefined
  const isOwn = settings.UPSTREAM_AUTH === 'session'
  const baseUrl = new URL(settings.UPSTREAM_URL ?? `http://127.0.0.1:${settings.SERVICE_PORT}`)
  return {
    connectionId: defaultConnectionId,
    name: embedded ? DEMO_MERCHANT : baseUrl.host,
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
 * The connection with this id. `default` is the one of the settings, created once; others are cached by
 * `refreshConnection` when a session or worker of their merchant first needs them. Throws AppError 'not-found' for an
 * unknown id.
 */
export function getConnection(connectionId: string): Connection {
  const connections = getConnectionMap()
  const known = connections.get(connectionId)
  if (known) return known
  if (connectionId !== defaultConnectionId)
    throw new AppError('not-found', { detail: m.refusals_thisMerchantIsNotConnected() })
  const made = makeConnection(getSettings())
  connections.set(connectionId, made)
  return made
}

/** Whether a merchant's service is called with each person's own token. A merchant that was added has its own credential. */
export function needsPersonsToken(connectionId: string): boolean {
  return connectionId === defaultConnectionId && getSettings().UPSTREAM_AUTH === 'session'
}

export function findCachedConnection(connectionId: string): Connection | undefined {
  return getConnectionMap().get(connectionId)
}

export function setConnection(connection: Connection): void {
  getConnectionMap().set(connection.connectionId, connection)
  dropUpstreamStates(connection.connectionId, connection.baseUrl)
}

export function dropConnection(connectionId: string): void {
  getConnectionMap().delete(connectionId)
  dropUpstreamStates(connectionId)
}
