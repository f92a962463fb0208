import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** `failure`: the desk cannot work this way; `warning`: it can, with a loss. */
export type CheckResult = 'ok' | 'note' | 'warning' | 'failure' | 'skipped'

/** `detail` is one line for people. */
export type Finding = { area: string; subject: string; result: CheckResult; detail: string }

/** `reads` counts the read requests; diagnostics send no others. */
export type DiagnosticsReport = {
  url: string
  startedAt: string
  milliseconds: number
  reads: number
  result: 'ok' | 'warning' | 'failure'
  findings: Finding[]
}

/** The worst result among the findings. */
export function summarise(findings: readonly Finding[]): DiagnosticsReport['result'] {
  const results = findings.map(({ result }) => result)
  if (results.includes('failure')) return 'failure'
  return results.includes('warning') ? 'warning' : 'ok'
}

/** A line of the NDJSON stream: each finding as it is made, the report last. */
export type DiagnosticsLine = { finding: Finding } | { report: DiagnosticsReport }

export const diagnosticsVerdicts: Record<DiagnosticsReport['result'], Message> = {
  ok: m.doctor_verdictOk,
  warning: m.doctor_verdictWarning,
  failure: m.doctor_verdictFailure,
}

/** The names of what is checked, by its codes. */
const areas: Readonly<Record<string, Message>> = {
  access: m.doctor_areaAccess,
  payments: m.doctor_areaPayments,
  customers: m.doctor_areaCustomers,
  mandates: m.doctor_areaMandates,
  merchant: m.doctor_areaMerchant,
  agreements: m.doctor_areaAgreements,
  webhooks: m.doctor_areaWebhooks,
}
const subjects: Readonly<Record<string, Message>> = {
  reached: m.doctor_subjectReached,
  credential: m.doctor_subjectCredential,
  'without it': m.doctor_subjectWithoutIt,
  'what is missing': m.doctor_subjectWhatIsMissing,
  list: m.doctor_subjectList,
  'one by id': m.doctor_subjectOneById,
  'one by handle': m.doctor_subjectOneByHandle,
  paging: m.doctor_subjectPaging,
  'page size': m.doctor_subjectPageSize,
  rows: m.doctor_subjectRows,
  fields: m.doctor_subjectFields,
  states: m.doctor_subjectStates,
  'filter and order': m.doctor_subjectFilterAndOrder,
  record: m.doctor_subjectRecord,
}

/** The name of a check: "Payments: page size". */
export function nameCheck({ area, subject }: Pick<Finding, 'area' | 'subject'>): string {
  return `${areas[area]?.() ?? area}: ${subjects[subject]?.() ?? subject}`
}
