import type { ListId } from '@/lib/contract/ability'
import type { DocumentedName } from '@/lib/contract/documented'
import { abilities } from '@/lib/words/doctor-findings'
import type { Connection } from '../connection'
import { checkAbilities } from './check-abilities'
import { checkAccess } from './check-access'
import { checkFields, checkStates } from './check-fields'
import { checkPaging, type Walked } from './check-paging'
import { checkSingles, noteReply } from './check-singles'
import { type ExamineOptions, Patient } from './patient'
import { type Report, summarise } from '@/lib/contract/doctor-report'

async function checkList(patient: Patient, list: ListId, area: string, name: DocumentedName): Promise<Walked | null> {
  const reply = await patient.examine(area, 'list', list)
  if (!reply) return null
  noteReply(patient, area, 'list', list, reply)
  const walked = await checkPaging(patient, list, area)
  if (!walked) return null
  checkFields(patient, area, name, walked.raw)
  if (walked.rows.length > 0) await checkAbilities(patient, list, area, walked.rows)
  else patient.note(area, 'filter and order', 'skipped', abilities.listIsEmpty)
  return walked
}

/**
 * Holds a deployment against the interface and the rules of its connection, by reading only: no request but GET is
 * ever sent. Never throws.
 */
export async function examine(connection: Connection, options: ExamineOptions = {}): Promise<Report> {
  const startedAt = new Date().toISOString()
  const began = performance.now()
  const { rules } = connection
  const patient = new Patient(connection, options)
  if (await checkAccess(patient)) {
    const payments = await checkList(patient, 'listPayments', 'payments', 'Payment')
    const known = [...rules.cancellable, ...rules.cancelled, ...rules.final]
    checkStates(patient, 'payments', payments?.rows ?? [], known)
    const customers = await checkList(patient, 'listCustomers', 'customers', 'Customer')
    const mandates = await checkList(patient, 'listMandates', 'mandates', 'Mandate')
    checkStates(patient, 'mandates', mandates?.rows ?? [])
    await checkSingles(patient, customers?.rows[0], mandates?.rows[0])
  }
  const { findings, reads } = patient
  const milliseconds = Math.round(performance.now() - began)
  return { url: connection.baseUrl.href, startedAt, milliseconds, reads, result: summarise(findings), findings }
}
