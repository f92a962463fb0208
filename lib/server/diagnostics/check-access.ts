import * as m from '@/lib/messages/m'
import { Credential } from '../upstream/credentials'
import { AppError } from '../runtime/app-error'
import { explain, type DiagnosticTarget } from './target'

const area = 'access'

/** Whether the service answers at all. False: nothing else can be checked. */
async function checkReach(target: DiagnosticTarget): Promise<boolean> {
  try {
    const reply = await target.read('getStatus')
    const isFine = reply.status >= 200 && reply.status < 300
    const write = isFine ? m.doctorFindings_accessAnswered : m.doctorFindings_accessAnsweredButTheRestMayWork
    target.addFinding(area, 'reached', isFine ? 'ok' : 'warning', write({ request: 'GET /', status: reply.status }))
    return true
  } catch (error) {
    const isThere = error instanceof AppError && error.evidence.upstream !== undefined
    target.addFinding(
      area,
      'reached',
      isThere ? 'warning' : 'failure',
      m.doctorFindings_accessFailed({ request: 'GET /', why: explain(error) }),
    )
    return isThere
  }
}

async function checkCredential(target: DiagnosticTarget): Promise<boolean> {
  try {
    const { status } = await target.read('listCustomers')
    if (status === 401 || status === 403) {
      const write =
        status === 401 ? m.doctorFindings_accessCredentialIsNotAccepted : m.doctorFindings_accessCredentialMayNotRead
      target.addFinding(area, 'credential', 'failure', write({ status }))
      return status === 403
    }
    const isFine = status >= 200 && status < 300
    target.addFinding(
      area,
      'credential',
      isFine ? 'ok' : 'warning',
      m.doctorFindings_accessAnswered({ request: 'GET /Customers', status }),
    )
    return true
  } catch (error) {
    target.addFinding(area, 'credential', 'failure', explain(error))
    return false
  }
}

/** A service that answers without a credential was left open by mistake. */
async function checkWithout(target: DiagnosticTarget): Promise<void> {
  const anonymous = { ...target.connection, credential: new Credential(null, []) }
  try {
    const { status } = await target.read('listCustomers', {}, anonymous)
    if (status === 401 || status === 403)
      target.addFinding(area, 'without it', 'ok', m.doctorFindings_accessRefusedWith({ status }))
    else if (status >= 200 && status < 300)
      target.addFinding(area, 'without it', 'warning', m.doctorFindings_accessAnswersWithoutACredential())
    else
      target.addFinding(
        area,
        'without it',
        'note',
        m.doctorFindings_accessItAnsweredButAnotherIsDocumented({ status, documented: 401 }),
      )
  } catch (error) {
    target.addFinding(area, 'without it', 'note', explain(error))
  }
}

/** How the service answers for a missing record, which is undocumented. */
async function checkMissing(target: DiagnosticTarget): Promise<void> {
  try {
    const reply = await target.read('getCustomer', { params: { customerIdOrHandle: 'cu_nobody0000000000' } })
    const isRecord = reply.json !== null && typeof reply.json === 'object'
    const result = reply.status === 404 ? 'ok' : 'note'
    target.addFinding(
      area,
      'what is missing',
      result,
      m.doctorFindings_accessMissingIsAnswered({
        status: reply.status,
        holds: isRecord ? 'record' : 'none',
        mediaType: reply.mediaType ?? m.doctorFindings_noMediaType(),
      }),
    )
  } catch (error) {
    target.addFinding(area, 'what is missing', 'note', explain(error))
  }
}

/** Checks reachability, credential and refusals. False when nothing else can be read. */
export async function checkAccess(target: DiagnosticTarget): Promise<boolean> {
  if (!(await checkReach(target))) return false
  if (!(await checkCredential(target))) return false
  await checkWithout(target)
  await checkMissing(target)
  return true
}
