import { eq } from 'drizzle-orm'
import { endpoints } from '@/lib/api-contract/endpoints'
import { parseUpstreamErrors, toErrorLine } from '../http/field-errors'
import { toPlainText } from '../http/untrusted-text'
import { AppError } from '../runtime/app-error'
import { cancellations } from '../store/schema'
import type { UpstreamReply } from '../upstream/call-upstream'
import { retryDelayMs } from '../upstream/retry'
import { isRefusal, readProblem } from '../upstream/upstream-errors'
import { type Change, changeState } from './change-state'
import { type CancellationRow, elapsed, type Ledger } from './ledger'
import { type CancellationState, canTransition, type Evidence, type ReplyEvidence } from './states'

/**
 * What is known after one cancel request. `slow-down` and `not-sent` certainly had no effect; `declined` must be confirmed
 * by a reading; `unknown` may have had an effect.
 */
export type SendOutcome =
  | { kind: 'accepted' | 'declined'; reply: ReplyEvidence }
  | { kind: 'slow-down'; reply: ReplyEvidence; headers: UpstreamReply['headers'] }
  | { kind: 'not-sent'; failure: string }
  | { kind: 'unknown'; reply?: ReplyEvidence; failure?: string }

/** Failure code of a request whose lease ended before its first byte; it may be sent after a new reading. */
export const LEASE_LOST = 'lease-lost'

/** 4xx that leave the effect open: an intermediary gave up, or wants the request again. */
const INDEFINITE_STATUSES = [408, 425, 499]

/** 4xx for the request's form: it was not processed at all. 400 also says no in general, and 406 comes after the work. */
const FORM_ERROR_STATUSES = [405, 411, 413, 414, 415, 417, 426, 431]

function readReplyEvidence(reply: UpstreamReply): ReplyEvidence {
  const { errors, ...problem } = readProblem(reply)
  if (!isRefusal(reply.status)) return problem
  const messages = parseUpstreamErrors(errors, endpoints.cancelPayment)
  return { ...problem, detail: problem.detail ?? toPlainText(messages && toErrorLine(messages)) }
}

/** The reason text, if the upstream API echoes it; few do. */
function readEcho({ json }: UpstreamReply): { text?: string } {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'text')) return {}
  const text: unknown = Reflect.get(json, 'text')
  if (text === null) return { text: '' }
  return typeof text === 'string' ? { text: toPlainText(text) ?? '' } : {}
}

/** Classifies a reply by its status alone; its body is only text for people. */
export function classifyReply(reply: UpstreamReply): SendOutcome {
  const { status } = reply
  const evidence = readReplyEvidence(reply)
  if (status >= 200 && status < 300) return { kind: 'accepted', reply: { ...evidence, ...readEcho(reply) } }
  if (status === 429) return { kind: 'slow-down', reply: evidence, headers: reply.headers }
  if (isRefusal(status) && !INDEFINITE_STATUSES.includes(status)) return { kind: 'declined', reply: evidence }
  return { kind: 'unknown', reply: evidence }
}

/** Classifies a request without a reply: `not-sent` only if certainly no byte was written. */
export function classifyFailure(error: unknown): SendOutcome {
  if (!(error instanceof AppError)) return { kind: 'unknown', failure: 'internal' }
  const { code, evidence } = error
  // 'bad-request' is raised by us: the URL could not be built, so nothing was written.
  if (evidence.written === false || code === 'bad-request') return { kind: 'not-sent', failure: code }
  return { kind: 'unknown', failure: code, ...(evidence.upstream && { reply: { status: evidence.upstream.status } }) }
}

/**
 * Whether a 4xx rejects the request's form. Any other (400, 403, 404, 409, 422 …) may also answer a duplicate whose first
 * copy was accepted and takes effect a little later.
 */
export function isFormError(reply: ReplyEvidence | undefined): boolean {
  return reply !== undefined && FORM_ERROR_STATUSES.includes(reply.status)
}

/** Whether the upstream API refuses us rather than this cancellation. */
export function isRefusedAccess(reply: ReplyEvidence | undefined): boolean {
  return reply?.status === 401 || reply?.status === 403
}

type Target = { state: CancellationState; change: Change }

const MAX_DEFAULT_DELAY_MS = 30_000
/** No request can ever be built for such a payment. */
const UNBUILDABLE = 'bad-request'

/** Delay after a 429 that doesn't say how long: as long as it has already taken, up to MAX_DEFAULT_DELAY_MS. */
function chooseDelay({ clock, rules }: Ledger, row: CancellationRow): number {
  // Bulk rows queue long before they are sent; the bulk's rate limiter slows them down instead.
  const waited = row.bulkId === null ? elapsed(row.undecidedSince, clock.store.now()) : 0
  return Math.min(Math.max(waited, rules.pollIntervalMs), MAX_DEFAULT_DELAY_MS)
}

function getReplyText({ detail, title }: ReplyEvidence): string | null {
  return detail ?? title ?? null
}

/** Milliseconds until the outcome of a cancellation is due: later, nothing of it is sent. */
export function measureRemaining({ clock, rules }: Ledger, row: CancellationRow): number {
  return rules.reviewAfterMs - elapsed(row.undecidedSince ?? row.stateSince, clock.store.now())
}

/** An earlier request may have had an effect, so the row stays unknown whatever this one brought. */
function stayUnknown(ledger: Ledger, row: CancellationRow, outcome: SendOutcome, delay: number): Target {
  const hadNoEffect = outcome.kind === 'not-sent' || outcome.kind === 'slow-down'
  const attempts = hadNoEffect ? row.attempts - 1 : row.attempts
  // Even a long Retry-After must not delay manual review.
  const wait = Math.min(delay, Math.max(measureRemaining(ledger, row), ledger.rules.pollIntervalMs))
  return { state: 'unknown', change: { attempts, dueAt: ledger.clock.store.sql(wait) } }
}

function chooseTarget(ledger: Ledger, row: CancellationRow, outcome: SendOutcome): Target {
  const failure = 'failure' in outcome ? outcome.failure : undefined
  const { pollIntervalMs } = ledger.rules
  const dueAt = ledger.clock.store.sql(pollIntervalMs)
  const askedFor = outcome.kind === 'slow-down' ? retryDelayMs(outcome.headers, ledger.clock.wall()) : null
  const delay = askedFor ?? (outcome.kind === 'slow-down' ? chooseDelay(ledger, row) : pollIntervalMs)
  if (outcome.kind === 'accepted') return { state: 'accepted', change: { dueAt } }
  if (outcome.kind === 'unknown' || row.attempts > 1) return stayUnknown(ledger, row, outcome, delay)
  // Queued again, it still says that it may have been sent since the backup.
  const restored = row.evidence.restored ? 'restored' : null
  switch (outcome.kind) {
    case 'declined': {
      // A 401 concerns our credential: for the operator, not for the user.
      const detail = outcome.reply.status === 401 ? null : getReplyText(outcome.reply)
      return { state: 'declined', change: { dueAt, detail, outcomeReason: 'declined' } }
    }
    case 'slow-down': {
      // A bulk waits as long as it takes.
      const remaining = row.bulkId === null ? measureRemaining(ledger, row) : Infinity
      // Told at once rather than when time is up.
      if (askedFor !== null && delay + pollIntervalMs > remaining)
        return { state: 'not-cancelled', change: { outcomeReason: 'asked-to-wait' } }
      const wait = Math.max(Math.min(delay, remaining), 0)
      return {
        state: 'waiting',
        change: { attempts: 0, outcomeReason: restored ?? 'slow-down', dueAt: ledger.clock.store.sql(wait) },
      }
    }
    default:
      // The request certainly never left. A bulk row is queued again; so is a request that was held up past its lease,
      // which is sent if a new reading still matches what the user saw.
      return failure === LEASE_LOST || (row.bulkId !== null && failure !== UNBUILDABLE)
        ? { state: 'waiting', change: { attempts: 0, outcomeReason: restored, dueAt } }
        : { state: 'not-cancelled', change: { attempts: 0, outcomeReason: 'not-sent' } }
  }
}

/** Whether the upstream API received another reason than was sent. Its echo was truncated, so the sent one is, too. */
function findWarning(row: CancellationRow, outcome: SendOutcome): Evidence['warning'] {
  const echo = outcome.kind === 'accepted' ? outcome.reply.text : undefined
  return echo === undefined || echo === (toPlainText(row.reason) ?? '') ? undefined : 'reason-not-delivered'
}

/** The current row, if another process has marked the same request as unknown. */
async function findMarkedUnknown({ db }: Ledger, row: CancellationRow): Promise<CancellationRow | null> {
  const [found] = await db.select().from(cancellations).where(eq(cancellations.id, row.id))
  const isSame = found?.attempts === row.attempts && found.sentAt?.getTime() === row.sentAt?.getTime()
  return found?.state === 'unknown' && isSame ? found : null
}

/**
 * Step 5 of a cancellation (docs/architecture.md): records the outcome of a request. A late reply still counts for a
 * request that was marked unknown. Returns the new row, or null if the row has moved on.
 */
export async function recordOutcome(
  ledger: Ledger,
  row: CancellationRow,
  outcome: SendOutcome,
): Promise<CancellationRow | null> {
  const { state, change } = chooseTarget(ledger, row, outcome)
  const { reply, failure } = { reply: undefined, failure: undefined, ...outcome }
  const warning = findWarning(row, outcome)
  if (warning) ledger.report(warning, { cancellationId: row.id })
  const evidence = { ...row.evidence, reply, failure, warning }
  if (reply && isRefusedAccess(reply))
    ledger.report('cancellation-refused', { cancellationId: row.id, status: reply.status })
  const changed = await changeState(ledger, row, state, { ...change, evidence })
  if (changed) return changed
  const markedUnknown = await findMarkedUnknown(ledger, row)
  if (!markedUnknown) return null
  // The request certainly never left, but its turn in the bulk is over.
  if (state === 'waiting' && outcome.kind === 'not-sent')
    return changeState(ledger, markedUnknown, 'not-cancelled', {
      attempts: 0,
      outcomeReason: change.outcomeReason ?? 'not-sent',
      evidence,
    })
  return canTransition(markedUnknown.state, state)
    ? changeState(ledger, markedUnknown, state, { ...change, evidence })
    : null
}
