import { Credential } from '../credentials'
import { Failure } from '../failure'
import { explain, type Patient } from './patient'

const area = 'access'

/** Whether there is a service at all. False: nothing else can be found out. */
async function checkReach(patient: Patient): Promise<boolean> {
  try {
    const reply = await patient.read('getStatus')
    const isFine = reply.status >= 200 && reply.status < 300
    const detail = isFine
      ? `GET / answered ${reply.status}.`
      : `GET / answered ${reply.status}; the rest may still work.`
    patient.note(area, 'reached', isFine ? 'ok' : 'warning', detail)
    return true
  } catch (error) {
    const isThere = error instanceof Failure && error.evidence.upstream !== undefined
    patient.note(area, 'reached', isThere ? 'warning' : 'failure', `GET /: ${explain(error)}`)
    return isThere
  }
}

async function checkCredential(patient: Patient): Promise<boolean> {
  try {
    const { status } = await patient.read('listCustomers')
    if (status === 401 || status === 403) {
      const detail = status === 401 ? 'The credential is not accepted (401).' : 'The credential may not read (403).'
      patient.note(area, 'credential', 'failure', detail)
      return status === 403
    }
    const isFine = status >= 200 && status < 300
    patient.note(area, 'credential', isFine ? 'ok' : 'warning', `GET /Customers answered ${status}.`)
    return true
  } catch (error) {
    patient.note(area, 'credential', 'failure', explain(error))
    return false
  }
}

/** A service that answers everybody is one that somebody forgot to close. */
async function checkWithout(patient: Patient): Promise<void> {
  const nobody = { ...patient.connection, credential: new Credential(null, []) }
  try {
    const { status } = await patient.read('listCustomers', {}, nobody)
    if (status === 401 || status === 403) patient.note(area, 'without it', 'ok', `Refused with ${status}.`)
    else if (status >= 200 && status < 300)
      patient.note(area, 'without it', 'warning', 'It answers without a credential too.')
    else patient.note(area, 'without it', 'note', `It answered ${status}; 401 is documented.`)
  } catch (error) {
    patient.note(area, 'without it', 'note', explain(error))
  }
}

/** How it says that a record does not exist, which the interface does not show. */
async function checkMissing(patient: Patient): Promise<void> {
  try {
    const reply = await patient.read('getCustomer', { params: { customerIdOrHandle: 'cu_nobody0000000000' } })
    const words = reply.json !== null && typeof reply.json === 'object' ? 'a record' : 'no record'
    const result = reply.status === 404 ? 'ok' : 'note'
    patient.note(
      area,
      'what is missing',
      result,
      `Answered with ${reply.status} and ${words} (${reply.mediaType ?? 'no type'}).`,
    )
  } catch (error) {
    patient.note(area, 'what is missing', 'note', explain(error))
  }
}

/** Reachability, credential, and how it refuses. False where nothing else can be read. */
export async function checkAccess(patient: Patient): Promise<boolean> {
  if (!(await checkReach(patient))) return false
  if (!(await checkCredential(patient))) return false
  await checkWithout(patient)
  await checkMissing(patient)
  return true
}
