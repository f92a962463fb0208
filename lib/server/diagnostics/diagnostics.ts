import type { Message } from '@/lib/language/runtime'
import type { DocumentedName } from '@/lib/api-contract/documented-records'
import { endpoints } from '@/lib/api-contract/endpoints'
import {
  type DiagnosticsLine,
  diagnosticsVerdicts,
  type DiagnosticsReport,
  type CheckResult,
  type Finding,
  summarise,
} from '@/lib/domain/diagnostics-report'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { findNamedAgreements } from '../agreements/named-agreements'
import { AppError } from '../runtime/app-error'
import type { UpstreamReply } from '../upstream/call-upstream'
import type { Connection } from '../upstream/connection'
import { unwrapRecord } from '../upstream/reply'
import { checkAccess } from './check-access'
import { checkCapabilities, checkFields, checkPaging, checkStates, type LoadedRows } from './check-lists'
import { type DiagnosticOptions, DiagnosticTarget, type ReadId } from './target'
import * as m from '@/lib/messages/m'

const documentedTypes = ['application/json', 'text/json', 'text/plain']

function describe(json: unknown): string {
  if (json === undefined) return m.doctorFindings_repliesNothing()
  if (json === null) return 'null'
  if (Array.isArray(json)) return m.doctorFindings_repliesAListOf({ count: json.length })
  return typeof json === 'object' ? m.doctorFindings_repliesARecordOf({ count: Object.keys(json).length }) : typeof json
}

/** Records whether the desk can parse a successful reply, and its media type. `idOrHandle`: of the record that was read. */
export function recordReply(
  target: DiagnosticTarget,
  area: string,
  subject: string,
  id: ReadId,
  reply: UpstreamReply,
  idOrHandle = '',
): void {
  const isSingle = Object.keys(endpoints[id].params).length > 0
  const unwrapped = isSingle ? unwrapRecord(reply.json, endpoints[id], idOrHandle) : reply.json
  const isReadable = endpoints[id].reply.safeParse(unwrapped).success && !(isSingle && unwrapped === null)
  const hasDocumentedType = reply.mediaType === null ? reply.text === '' : documentedTypes.includes(reply.mediaType)
  const oddities = [
    ...(isSingle && unwrapped !== null && unwrapped !== reply.json
      ? [m.doctorFindings_repliesTheRecordIsWrapped()]
      : []),
    ...(hasDocumentedType ? [] : [m.doctorFindings_repliesTheMediaTypeIsNotDocumented()]),
  ]
  const mediaType = reply.mediaType ?? m.doctorFindings_noMediaType()
  const held = m.doctorFindings_repliesHeld({ status: reply.status, shape: describe(reply.json), mediaType })
  const detail = `${[held, ...oddities].join('; ')}.`
  target.addFinding(area, subject, isReadable ? (hasDocumentedType ? 'ok' : 'note') : 'failure', detail)
}

async function readOne(target: DiagnosticTarget, area: string, id: ReadId, name: string, value: unknown, by: string) {
  const word = typeof value === 'number' ? String(value) : value
  if (typeof word !== 'string' || word === '') {
    return target.addFinding(area, `one by ${by}`, 'skipped', m.doctorFindings_repliesNoneIsAtHand({ name: by }))
  }
  const reply = await target.tryRead(area, `one by ${by}`, id, { params: { [name]: word } })
  if (reply) recordReply(target, area, `one by ${by}`, id, reply, word)
}

type Row = Record<string, unknown> | undefined

/** Reads a customer, a mandate and an agreement by id and by handle, the merchant and the subscriptions. */
export async function checkRecords(target: DiagnosticTarget, customer: Row, mandate: Row): Promise<void> {
  for (const by of ['id', 'handle'] as const) {
    await readOne(target, 'customers', 'getCustomer', 'customerIdOrHandle', customer?.[by], by)
    await readOne(target, 'mandates', 'getMandate', 'mandateIdOrHandle', mandate?.[by], by)
  }
  const merchant = await target.tryRead('merchant', 'record', 'getMerchant')
  if (merchant) recordReply(target, 'merchant', 'record', 'getMerchant', merchant)
  const [agreement] = findNamedAgreements(merchant?.json)
  const known = { id: agreement?.agreementId, handle: agreement?.handle }
  for (const by of ['id', 'handle'] as const)
    await readOne(target, 'agreements', 'getAgreement', 'agreementIdOrHandle', known[by], by)
  const webhooks = await target.tryRead('webhooks', 'list', 'listWebhooks')
  if (webhooks) recordReply(target, 'webhooks', 'list', 'listWebhooks', webhooks)
}

async function checkList(
  target: DiagnosticTarget,
  list: ListId,
  area: string,
  name: DocumentedName,
): Promise<LoadedRows | null> {
  const reply = await target.tryRead(area, 'list', list)
  if (!reply) return null
  recordReply(target, area, 'list', list, reply)
  const loaded = await checkPaging(target, list, area)
  if (!loaded) return null
  checkFields(target, area, name, loaded.raw)
  if (loaded.rows.length > 0) await checkCapabilities(target, list, area, loaded.rows)
  else target.addFinding(area, 'filter and order', 'skipped', m.doctorFindings_abilitiesListIsEmpty())
  return loaded
}

/**
 * Checks a deployment against the API contract and the rules of its connection, using read-only requests. Never throws.
 */
export async function runDiagnostics(
  connection: Connection,
  options: DiagnosticOptions = {},
): Promise<DiagnosticsReport> {
  const startedAt = new Date().toISOString()
  const began = performance.now()
  const { rules } = connection
  const target = new DiagnosticTarget(connection, options)
  if (await checkAccess(target)) {
    const payments = await checkList(target, 'listPayments', 'payments', 'Payment')
    const known = [...rules.cancellable, ...rules.cancelled, ...rules.final]
    checkStates(target, 'payments', payments?.rows ?? [], known)
    const customers = await checkList(target, 'listCustomers', 'customers', 'Customer')
    const mandates = await checkList(target, 'listMandates', 'mandates', 'Mandate')
    checkStates(target, 'mandates', mandates?.rows ?? [])
    await checkRecords(target, customers?.rows[0], mandates?.rows[0])
  }
  const { findings, reads } = target
  const milliseconds = Math.round(performance.now() - began)
  return { url: connection.baseUrl.href, startedAt, milliseconds, reads, result: summarise(findings), findings }
}

declare global {
  /** Connections being checked; on globalThis because Next loads this module once per graph. */
  var debitdeskExaminations: Set<string> | undefined
}

const TIMEOUT_MS = 120_000

/**
 * Checks a deployment and streams the findings as JSON lines (DiagnosticsLine), with the report last. One check at a time
 * per connection: throws AppError 'in-flight' for another. Ends when the client leaves (`signal`).
 */
export function streamDiagnostics(connection: Connection, signal: AbortSignal): ReadableStream<Uint8Array> {
  const running = (globalThis.debitdeskExaminations ??= new Set())
  const { connectionId } = connection
  if (running.has(connectionId)) throw new AppError('in-flight', { detail: m.refusals_thisDeploymentIsBeingExamined() })
  running.add(connectionId)
  const cancelled = new AbortController()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (line: DiagnosticsLine) => {
        if (!cancelled.signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      try {
        const report = await runDiagnostics(connection, {
          onFinding: (finding) => send({ finding }),
          signal: AbortSignal.any([signal, cancelled.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        })
        send({ report })
        if (!cancelled.signal.aborted) controller.close()
      } finally {
        running.delete(connectionId)
      }
    },
    cancel: () => cancelled.abort(),
  })
}

const results: Record<CheckResult, Message> = {
  ok: m.doctorFindings_printedResultsOk,
  note: m.doctorFindings_printedResultsNote,
  warning: m.doctorFindings_printedResultsWarning,
  failure: m.doctorFindings_printedResultsFailure,
  skipped: m.doctorFindings_printedResultsSkipped,
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

/** Findings as lines of at most `width` characters, one check each. */
export function printFindings(findings: readonly Finding[], width: number): string[] {
  const subjects = findings.map(({ area, subject }) => `${area}: ${subject}`)
  const [first, second] = [9, Math.max(0, ...subjects.map(({ length }) => length)) + 2]
  const detailWidth = Math.max(30, width - first - second)
  return findings.flatMap((finding, index) =>
    wrap(finding.detail, detailWidth).map((line, turn) => {
      const head = turn === 0 ? results[finding.result]().padEnd(first) + (subjects[index] ?? '').padEnd(second) : ''
      return `${head.padEnd(first + second)}${line}`
    }),
  )
}

/** The report as lines of at most `width` characters, with the verdict last. */
export function printReport({ url, findings, reads, milliseconds, result }: DiagnosticsReport, width: number): string {
  const took = m.doctorFindings_printedTook({ count: reads, seconds: (milliseconds / 1_000).toFixed(1) })
  const rows = printFindings(findings, width)
  return [m.doctorFindings_printedDeployment({ url }), '', ...rows, '', took, diagnosticsVerdicts[result](), ''].join(
    '\n',
  )
}
