import { access as words } from '@/lib/words/doctor-findings'
import { Credential } from '../upstream/credentials'
import { AppError } from '../runtime/app-error'
import { explain, type DiagnosticTarget } from './target'

const area = 'access'

/** Whether the service answers at all. False: nothing else can be checked. */
async function checkReach(target: DiagnosticTarget): Promise<boolean> {
  try {
    const reply = await target.read('getStatus')
    const isFine = reply.status >= 200 && reply.status < 300
    const write = isFine ? words.answered : words.answeredButTheRestMayWork
    target.addFinding(area, 'reached', isFine ? 'ok' : 'warning', write('GET /', reply.status))
    return true
  } catch (error) {
    const isThere = error instanceof AppError && error.evidence.upstream !== undefined
    target.addFinding(area, 'reached', isThere ? 'warning' : 'failure', words.failed('GET /', explain(error)))
    return isThere
  }
}

async function checkCredential(target: DiagnosticTarget): Promise<boolean> {
  try {
    const { status } = await target.read('listCustomers')
    if (status === 401 || status === 403) {
      const write = status === 401 ? words.credentialIsNotAccepted : words.credentialMayNotRead
      target.addFinding(area, 'credential', 'failure', write(status))
      return status === 403
    }
    const isFine = status >= 200 && status < 300
    target.addFinding(area, 'credential', isFine ? 'ok' : 'warning', words.answered('GET /Customers', status))
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
    if (status === 401 || status === 403) target.addFinding(area, 'without it', 'ok', words.refusedWith(status))
    else if (status >= 200 && status < 300)
      target.addFinding(area, 'without it', 'warning', words.answersWithoutACredential)
    else target.addFinding(area, 'without it', 'note', words.itAnsweredButAnotherIsDocumented(status, 401))
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
    target.addFinding(area, 'what is missing', result, words.missingIsAnswered(reply.status, isRecord, reply.mediaType))
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
