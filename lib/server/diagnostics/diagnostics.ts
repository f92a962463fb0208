import type { DocumentedName } from '@/lib/api-contract/documented-records'
import { endpoints } from '@/lib/api-contract/endpoints'
import {
  type DiagnosticsLine,
  diagnosticsVerdicts,
  type DiagnosticsReport,
  type CheckResult,
  summarise,
} from '@/lib/domain/diagnostics-report'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { findNamedAgreements } from '../agreements/named-agreements'
import { AppError } from '../runtime/app-error'
import type { UpstreamReply } from '../upstream/call-upstream'
import type { Connection } from '../upstream/connection'
import { unwrapRecord } from '../upstream/reply'
import { checkAccess } from './check-access'
import { checkCapabilities, checkFields, checkPaging, checkStates, type Walked } from './check-lists'
import { type DiagnosticOptions, DiagnosticTarget, type ReadId } from './target'
import * as words from '@/lib/words/doctor-findings'
import { abilities, printed } from '@/lib/words/doctor-findings'
import * as refusals from '@/lib/words/refusals'

const documentedTypes = ['application/json', 'text/json', 'text/plain']

function describe(json: unknown): string {
  if (json === undefined) return words.replies.nothing
  if (json === null) return 'null'
  if (Array.isArray(json)) return words.replies.aListOf(json.length)
  return typeof json === 'object' ? words.replies.aRecordOf(Object.keys(json).length) : typeof json
}

/** Takes note of a reply that succeeded: whether the desk can read it, and under which media type it came. */
export function noteReply(
  patient: DiagnosticTarget,
  area: string,
  subject: string,
  id: ReadId,
  reply: UpstreamReply,
): void {
  const isOne = Object.keys(endpoints[id].params).length > 0
  const held = isOne ? unwrapRecord(reply.json, endpoints[id].reply) : reply.json
  const isRead = endpoints[id].reply.safeParse(held).success && !(isOne && held === null)
  const isDocumented = reply.mediaType === null ? reply.text === '' : documentedTypes.includes(reply.mediaType)
  const oddities = [
    ...(isOne && held !== null && held !== reply.json ? [words.replies.theRecordIsWrapped] : []),
    ...(isDocumented ? [] : [words.replies.theMediaTypeIsNotDocumented]),
  ]
  const detail = words.replies.held(reply.status, describe(reply.json), reply.mediaType, oddities)
  patient.note(area, subject, isRead ? (isDocumented ? 'ok' : 'note') : 'failure', detail)
}

async function readOne(patient: DiagnosticTarget, area: string, id: ReadId, name: string, value: unknown, by: string) {
  const word = typeof value === 'number' ? String(value) : value
  if (typeof word !== 'string' || word === '') {
    return patient.note(area, `one by ${by}`, 'skipped', words.replies.noneIsAtHand(by))
  }
  const reply = await patient.examine(area, `one by ${by}`, id, { params: { [name]: word } })
  if (reply) noteReply(patient, area, `one by ${by}`, id, reply)
}

type Row = Record<string, unknown> | undefined

/** Reads one customer, mandate and agreement by id and by handle, the merchant and the subscriptions. */
export async function checkSingles(patient: DiagnosticTarget, customer: Row, mandate: Row): Promise<void> {
  for (const by of ['id', 'handle'] as const) {
    await readOne(patient, 'customers', 'getCustomer', 'customerIdOrHandle', customer?.[by], by)
    await readOne(patient, 'mandates', 'getMandate', 'mandateIdOrHandle', mandate?.[by], by)
  }
  const merchant = await patient.examine('merchant', 'record', 'getMerchant')
  if (merchant) noteReply(patient, 'merchant', 'record', 'getMerchant', merchant)
  const [agreement] = findNamedAgreements(merchant?.json)
  const known = { id: agreement?.agreementId, handle: agreement?.handle }
  for (const by of ['id', 'handle'] as const)
    await readOne(patient, 'agreements', 'getAgreement', 'agreementIdOrHandle', known[by], by)
  const webhooks = await patient.examine('webhooks', 'list', 'listWebhooks')
  if (webhooks) noteReply(patient, 'webhooks', 'list', 'listWebhooks', webhooks)
}

async function checkList(
  patient: DiagnosticTarget,
  list: ListId,
  area: string,
  name: DocumentedName,
): Promise<Walked | null> {
  const reply = await patient.examine(area, 'list', list)
  if (!reply) return null
  noteReply(patient, area, 'list', list, reply)
  const walked = await checkPaging(patient, list, area)
  if (!walked) return null
  checkFields(patient, area, name, walked.raw)
  if (walked.rows.length > 0) await checkCapabilities(patient, list, area, walked.rows)
  else patient.note(area, 'filter and order', 'skipped', abilities.listIsEmpty)
  return walked
}

/**
 * Holds a deployment against the interface and the rules of its connection, by reading only: no request but GET is
 * ever sent. Never throws.
 */
export async function runDiagnostics(
  connection: Connection,
  options: DiagnosticOptions = {},
): Promise<DiagnosticsReport> {
  const startedAt = new Date().toISOString()
  const began = performance.now()
  const { rules } = connection
  const patient = new DiagnosticTarget(connection, options)
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

declare global {
  /** Connections that are being examined; on globalThis because Next loads this module once per graph. */
  var debitdeskExaminations: Set<string> | undefined
}

/** An examination takes this long at most, in milliseconds. */
const longest = 120_000

/**
 * Examines a deployment and tells of it as lines of JSON, each a DiagnosticsLine, the report last. One at a time per
 * connection: throws AppError 'in-flight' for another. Who leaves (`signal`) ends it.
 */
export function streamDiagnostics(connection: Connection, signal: AbortSignal): ReadableStream<Uint8Array> {
  const running = (globalThis.debitdeskExaminations ??= new Set())
  const { connectionId } = connection
  if (running.has(connectionId)) throw new AppError('in-flight', { detail: refusals.thisDeploymentIsBeingExamined })
  running.add(connectionId)
  const left = new AbortController()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (line: DiagnosticsLine) => {
        if (!left.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      try {
        const report = await runDiagnostics(connection, {
          onFinding: (finding) => tell({ finding }),
          signal: AbortSignal.any([signal, left.signal, AbortSignal.timeout(longest)]),
        })
        tell({ report })
        if (!left.signal.aborted) controller.close()
      } finally {
        running.delete(connectionId)
      }
    },
    cancel: () => left.abort(),
  })
}

const results: Record<CheckResult, string> = printed.results

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

/** The report as a table of lines at most `width` wide, each check on its own, and the verdict last. */
export function printReport({ url, findings, reads, milliseconds, result }: DiagnosticsReport, width: number): string {
  const subjects = findings.map(({ area, subject }) => `${area}: ${subject}`)
  const [first, second] = [9, Math.max(0, ...subjects.map(({ length }) => length)) + 2]
  const room = Math.max(30, width - first - second)
  const rows = findings.flatMap((finding, index) =>
    wrap(finding.detail, room).map((line, turn) => {
      const head = turn === 0 ? results[finding.result].padEnd(first) + (subjects[index] ?? '').padEnd(second) : ''
      return `${head.padEnd(first + second)}${line}`
    }),
  )
  const took = printed.took(reads, (milliseconds / 1_000).toFixed(1))
  return [printed.deployment(url), '', ...rows, '', took, diagnosticsVerdicts[result], ''].join('\n')
}
