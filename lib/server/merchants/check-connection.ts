import { endpoints } from '@/lib/api-contract/endpoints'
import { parseIdentity } from '@/lib/domain/created-identity'
import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import type { Connection } from '../upstream/connection'
import { checkAccess } from '../diagnostics/check-access'
import { explain, DiagnosticTarget } from '../diagnostics/target'
import type { Finding } from '@/lib/domain/diagnostics-report'
import { AppError } from '../runtime/app-error'
import { getSettings, SettingsError } from '../runtime/settings'
import { dropUpstreamStates } from '../upstream/upstream-state'
import { explainBaseUrl, isOwnNetwork, makeStoredCredential } from '../upstream/stored-connections'
import * as m from '@/lib/messages/m'

const needsSecret = (auth: ConnectionSettings['auth']) => auth !== 'none'

/** Contradictions in the entered settings, as messages per field. */
function explainFields(settings: ConnectionSettings, secret: string | undefined): Record<string, string[]> {
  const { baseUrl, auth, tokenUrl, clientId } = settings
  const errors: Record<string, string[]> = {}
  const wrongAddress = explainBaseUrl(baseUrl, getSettings())
  if (wrongAddress) errors.baseUrl = [wrongAddress]
  if (auth === 'client-credentials') {
    const wrong = tokenUrl === undefined ? m.fields_isNeeded() : explainBaseUrl(tokenUrl, getSettings())
    if (wrong) errors.tokenUrl = [wrong]
    if (clientId === undefined) errors.clientId = [m.fields_isNeeded()]
  }
  if (needsSecret(auth) && secret === undefined) errors.secret = [m.fields_isNeeded()]
  if (!needsSecret(auth) && secret !== undefined) errors.secret = [m.fields_isNotSentWithoutACredential()]
  return errors
}

/**
 * An unsaved connection, for checking the service before anything is stored. Throws AppError 'bad-request' with
 * messages per field.
 */
export function draftConnection(settings: ConnectionSettings, secret: string | undefined): Connection {
  const errors = explainFields(settings, secret)
  if (Object.keys(errors).length > 0) throw new AppError('bad-request', { errors })
  const { amounts, cancellable, cancelled, final, mode } = settings
  const baseUrl = new URL(settings.baseUrl)
  try {
    return {
      connectionId: 'draft',
      name: baseUrl.host,
      baseUrl,
      credential: makeStoredCredential(settings, secret),
      rules: { amounts, cancellable, cancelled, final },
      mode,
      isGuarded: !isOwnNetwork(baseUrl, getSettings()),
      revision: 0,
    }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const field = error.message.startsWith('UPSTREAM_HEADER') ? 'header' : 'secret'
    throw new AppError('bad-request', {
      errors: { [field]: [m.fields_cannotBeSentInAHeader()] },
    })
  }
}

/** The first checks of the diagnostics: whether the service answers and accepts the credential. Read-only. */
export async function testConnection(connection: Connection): Promise<readonly Finding[]> {
  const target = new DiagnosticTarget(connection)
  await checkAccess(target)
  return target.findings
}

/** Why a status means that the credential doesn't work; null when it does. */
function explainStatus(status: number, kind: ConnectionSettings['auth']): string | null {
  const auth = kind === 'client-credentials' ? 'clientCredentials' : kind
  if (status === 403) return m.fields_refusedCredentialMayNotRead({ auth })
  if (status !== 401) return null
  return auth === 'none' ? m.fields_refusedCredentialIsNeeded() : m.fields_refusedCredentialIsRefused({ auth })
}

type Fault = { field: 'baseUrl' | 'auth' | 'secret'; message: string }

/** Why the service cannot be read with these settings of a draft; null when it can. Read-only. */
async function findFault(connection: Connection, auth: ConnectionSettings['auth']): Promise<Fault | null> {
  const target = new DiagnosticTarget(connection)
  const field = auth === 'none' ? 'auth' : 'secret'
  try {
    // The reply of a deployment's root is undocumented; any reply will do.
    await target.read('getStatus').catch((error: unknown) => {
      if (!(error instanceof AppError) || error.evidence.upstream === undefined) throw error
    })
    const { status, json } = await target.read('listCustomers')
    const message = explainStatus(status, auth)
    if (message !== null) return { field, message }
    // Who is asked too often has accepted the credential.
    if (status === 429) return null
    if (status < 200 || status >= 300) {
      const request = `GET ${endpoints.listCustomers.path}`
      return { field: 'baseUrl', message: m.doctorFindings_accessAnswered({ request, status }) }
    }
    const isReadable = endpoints.listCustomers.reply.safeParse(json).success
    return isReadable ? null : { field: 'baseUrl', message: m.doctorFindings_failuresUpstreamBadReply() }
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'upstream-credential'
    return isRefused
      ? { field, message: explainStatus(401, auth) ?? '' }
      : { field: 'baseUrl', message: explain(error) }
  } finally {
    dropUpstreamStates(connection.connectionId)
  }
}

/** The id of the provider's own record of a connection's merchant; null where it can't be read or has none. */
export async function readMerchantId(connection: Connection): Promise<string | null> {
  try {
    const { status, json } = await new DiagnosticTarget(connection).read('getMerchant')
    return status === 200 ? parseIdentity(json).id : null
  } catch {
    return null
  }
}

/** Throws AppError 'connection-fails', with a message at the field at fault, when a connection doesn't work. */
export async function requireWorking(connection: Connection, auth: ConnectionSettings['auth']): Promise<void> {
  const fault = await findFault(connection, auth)
  if (fault) {
    const { field, message } = fault
    throw new AppError('connection-fails', { detail: m.refusals_nothingWasStored(), errors: { [field]: [message] } })
  }
}
