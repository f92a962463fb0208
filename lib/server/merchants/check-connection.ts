import type { ConnectionSettings } from '@/lib/domain/merchant-connection'
import type { Connection } from '../upstream/connection'
import { checkAccess } from '../diagnostics/check-access'
import { explain, DiagnosticTarget } from '../diagnostics/target'
import type { Finding } from '@/lib/domain/diagnostics-report'
import { AppError } from '../runtime/app-error'
import { getSettings, SettingsError } from '../runtime/settings'
import { explainBaseUrl, isOwnNetwork, makeStoredCredential } from '../upstream/stored-connections'
import * as fields from '@/lib/words/fields'
import * as refusals from '@/lib/words/refusals'

const needsSecret = (auth: ConnectionSettings['auth']) => auth !== 'none'

/** What does not go together in what was entered, per field; empty when nothing speaks against it. */
function explainFields(settings: ConnectionSettings, secret: string | undefined): Record<string, string[]> {
  const { baseUrl, auth, tokenUrl, clientId } = settings
  const errors: Record<string, string[]> = {}
  const wrongAddress = explainBaseUrl(baseUrl, getSettings())
  if (wrongAddress) errors.baseUrl = [wrongAddress]
  if (auth === 'client-credentials') {
    const wrong = tokenUrl === undefined ? fields.isNeeded : explainBaseUrl(tokenUrl, getSettings())
    if (wrong) errors.tokenUrl = [wrong]
    if (clientId === undefined) errors.clientId = [fields.isNeeded]
  }
  if (needsSecret(auth) && secret === undefined) errors.secret = [fields.isNeeded]
  if (!needsSecret(auth) && secret !== undefined) errors.secret = [fields.isNotSentWithoutACredential]
  return errors
}

/**
 * A connection as it would be, for asking the service before anything is stored. Throws AppError 'bad-request' with
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
      errors: { [field]: [fields.cannotBeSentInAHeader] },
    })
  }
}

/** The doctor's first reads: whether there is a service, and whether it takes the credential. Only reads. */
export async function testConnection(connection: Connection): Promise<readonly Finding[]> {
  const patient = new DiagnosticTarget(connection)
  await checkAccess(patient)
  return patient.findings
}

/** What a service that answered has against the credential; null where it lets the desk read. */
function explainStatus(status: number, auth: ConnectionSettings['auth']): string | null {
  const { mayNotRead, isNeeded, isRefused } = fields.refusedCredential
  const credential = fields.credentials[auth]
  if (status === 403) return mayNotRead(credential)
  if (status !== 401) return null
  return auth === 'none' ? isNeeded : isRefused(credential)
}

type Fault = { field: 'baseUrl' | 'auth' | 'secret'; words: string }

/** Why the service cannot be read as it was entered, by reading only; null where it can. */
async function findFault(connection: Connection, auth: ConnectionSettings['auth']): Promise<Fault | null> {
  const patient = new DiagnosticTarget(connection)
  const field = auth === 'none' ? 'auth' : 'secret'
  try {
    // What a deployment says at its root is not documented: that it says something is enough.
    await patient.read('getStatus').catch((error: unknown) => {
      if (!(error instanceof AppError) || error.evidence.upstream === undefined) throw error
    })
    const words = explainStatus((await patient.read('listCustomers')).status, auth)
    return words === null ? null : { field, words }
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'upstream-credential'
    return isRefused ? { field, words: explainStatus(401, auth) ?? '' } : { field: 'baseUrl', words: explain(error) }
  }
}

/** Throws AppError 'connection-fails' with a message at the field that is to blame where a connection would not work. */
export async function requireWorking(connection: Connection, auth: ConnectionSettings['auth']): Promise<void> {
  const fault = await findFault(connection, auth)
  if (fault) {
    const { field, words } = fault
    throw new AppError('connection-fails', { detail: refusals.nothingWasStored, errors: { [field]: [words] } })
  }
}
