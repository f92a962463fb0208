import type { ConnectionSettings } from '@/lib/domain/merchant-connection'

/** The form values of a connection: states comma-separated, no optional fields. */
export type ConnectionFormValues = {
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

export const emptyConnection: ConnectionFormValues = {
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
export function toFormValues(name: string, settings: ConnectionSettings): ConnectionFormValues {
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

const splitList = (text: string) =>
  text
    .split(',')
    .map((state) => state.trim())
    .filter(Boolean)

/** Converts form values to the request body, omitting empty fields and those of other credential types. */
export function toRequestBody(typed: ConnectionFormValues): unknown {
  const { auth, header, tokenUrl, clientId, scope, secret, ...others } = typed
  const ifFilled = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value })
  return {
    ...others,
    auth,
    ...(auth === 'header' && ifFilled('header', header)),
    ...(auth === 'client-credentials' && {
      ...ifFilled('tokenUrl', tokenUrl),
      ...ifFilled('clientId', clientId),
      ...ifFilled('scope', scope),
    }),
    ...(auth !== 'none' && secret !== '' && { secret }),
    cancellable: splitList(typed.cancellable),
    cancelled: splitList(typed.cancelled),
    final: splitList(typed.final),
  }
}
