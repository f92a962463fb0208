import type { ConnectionSettings } from '@/lib/domain/merchant-connection'

/** The form values of a connection: states comma-separated, no optional fields. */
export type TypedConnection = {
  name: string
  mode: 'live' | 'test'
  baseUrl: string
  auth: ConnectionSettings['auth']
  header: string
  tokenUrl: string
  clientId: string
  scope: string
  secret: string
  amounts: ConnectionSettings['amounts']
  cancellable: string
  cancelled: string
  final: string
}

export const emptyConnection: TypedConnection = {
  name: '',
  mode: 'live',
  baseUrl: '',
  auth: 'basic',
  header: 'X-Api-Key',
  tokenUrl: '',
  clientId: '',
  scope: '',
  secret: '',
  amounts: 'minor',
  cancellable: 'pending',
  cancelled: 'cancelled',
  final: 'settled, rejected, chargeback',
}

/** Converts stored settings to form values; the browser never receives the secret. */
export function writeTyped(name: string, settings: ConnectionSettings): TypedConnection {
  const { tokenUrl = '', clientId = '', scope = '', cancellable, cancelled, final, ...others } = settings
  return {
    ...others,
    name,
    tokenUrl,
    clientId,
    scope,
    secret: '',
    cancellable: cancellable.join(', '),
    cancelled: cancelled.join(', '),
    final: final.join(', '),
  }
}

const list = (text: string) =>
  text
    .split(',')
    .map((state) => state.trim())
    .filter(Boolean)

/** Converts form values to the request body, omitting empty fields and those of other credential types. */
export function readTyped(typed: TypedConnection): unknown {
  const { auth, header, tokenUrl, clientId, scope, secret, ...others } = typed
  const given = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value })
  return {
    ...others,
    auth,
    ...(auth === 'header' && given('header', header)),
    ...(auth === 'client-credentials' && {
      ...given('tokenUrl', tokenUrl),
      ...given('clientId', clientId),
      ...given('scope', scope),
    }),
    ...(auth !== 'none' && secret !== '' && { secret }),
    cancellable: list(typed.cancellable),
    cancelled: list(typed.cancelled),
    final: list(typed.final),
  }
}
