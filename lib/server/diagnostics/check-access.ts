import { access as words } from '@/lib/words/doctor-findings'
import { Credential } from '../upstream/credentials'
import { AppError } from '../runtime/app-error'
import { explain, type DiagnosticTarget } from './target'

const area = 'access'

/** Whether there is a service at all. False: nothing else can be found out. */
async function checkReach(patient: DiagnosticTarget): Promise<boolean> {
  try {
    const reply = await patient.read('getStatus')
    const isFine = reply.status >= 200 && reply.status < 300
    const write = isFine ? words.answered : words.answeredButTheRestMayWork
    patient.note(area, 'reached', isFine ? 'ok' : 'warning', write('GET /', reply.status))
    return true
  } catch (error) {
    const isThere = error instanceof AppError && error.evidence.upstream !== undefined
    patient.note(area, 'reached', isThere ? 'warning' : 'failure', words.failed('GET /', explain(error)))
    return isThere
  }
}

async function checkCredential(patient: DiagnosticTarget): Promise<boolean> {
  try {
    const { status } = await patient.read('listCustomers')
    if (status === 401 || status === 403) {
      const write = status === 401 ? words.credentialIsNotAccepted : words.credentialMayNotRead
      patient.note(area, 'credential', 'failure', write(status))
      return status === 403
    }
    const isFine = status >= 200 && status < 300
    patient.note(area, 'credential', isFine ? 'ok' : 'warning', words.answered('GET /Customers', status))
    return true
  } catch (error) {
    patient.note(area, 'credential', 'failure', explain(error))
    return false
  }
}

/** A service that answers everybody is one that somebody forgot to close. */
async function checkWithout(patient: DiagnosticTarget): Promise<void> {
  const nobody = { ...patient.connection, credential: new Credential(null, []) }
  try {
    const { status } = await patient.read('listCustomers', {}, nobody)
    if (status === 401 || status === 403) patient.note(area, 'without it', 'ok', words.refusedWith(status))
    else if (status >= 200 && status < 300) patient.note(area, 'without it', 'warning', words.answersWithoutACredential)
    else patient.note(area, 'without it', 'note', words.itAnsweredButAnotherIsDocumented(status, 401))
  } catch (error) {
    patient.note(area, 'without it', 'note', explain(error))
  }
}

/** How it says that a record does not exist, which the interface does not show. */
async function checkMissing(patient: DiagnosticTarget): Promise<void> {
  try {
    const reply = await patient.read('getCustomer', { params: { customerIdOrHandle: 'cu_nobody0000000000' } })
    const isRecord = reply.json !== null && typeof reply.json === 'object'
    const result = reply.status === 404 ? 'ok' : 'note'
    patient.note(area, 'what is missing', result, words.missingIsAnswered(reply.status, isRecord, reply.mediaType))
  } catch (error) {
    patient.note(area, 'what is missing', 'note', explain(error))
  }
}

/** Reachability, credential, and how it refuses. False where nothing else can be read. */
export async function checkAccess(patient: DiagnosticTarget): Promise<boolean> {
  if (!(await checkReach(patient))) return false
  if (!(await checkCredential(patient))) return false
  await checkWithout(patient)
  await checkMissing(patient)
  return true
}
