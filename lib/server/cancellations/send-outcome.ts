import { eq } from 'drizzle-orm'
import { problemRecord } from '@/lib/api-contract/problem'
import { toPlainText } from '../http/untrusted-text'
import { AppError } from '../runtime/app-error'
import { cancellations } from '../store/schema'
import type { UpstreamReply } from '../upstream/call-upstream'
import { retryDelayMs } from '../upstream/retry'
import { type Change, changeState } from './change-state'
import { type CancellationRow, elapsed, type Ledger } from './ledger'
import { type CancellationState, canTransition, type Evidence, type ReplyEvidence } from './states'

/**
 * What is known after one request that cancels. `refused`, `slow-down` and `not-sent` had surely no effect;
 * `declined` says no, which a read must confirm; `unknown` may have been done or not.
 */
export type SendOutcome =
  | { kind: 'accepted' | 'refused' | 'declined'; reply: ReplyEvidence }
  | { kind: 'slow-down'; reply: ReplyEvidence; retryAfter: string | undefined }
  | { kind: 'not-sent'; failure: string }
  | { kind: 'unknown'; reply?: ReplyEvidence; failure?: string }

/** Why a request was not sent whose time was over before its first byte: it may be sent when it is read anew. */
export const leaseLost = 'lease-lost'

/** 4xx that do not say what became of the request: somebody on the way gave up, or wants it again. */
const indefinite = [408, 425, 499]

/** Requests that the service did not take at all, for their form: nothing can have come of them. */
const formal = [400, 405, 406, 411, 413, 414, 415, 417, 426, 431, 451]

function readReplyEvidence({ status, json }: UpstreamReply): ReplyEvidence {
  const read = problemRecord.safeParse(json)
  if (!read.success) return { status, detail: toPlainText(json) }
  const { type, title, detail, instance, traceId } = read.data
  return {
    status,
    type: toPlainText(type),
    title: toPlainText(title),
    detail: toPlainText(detail),
    instance: toPlainText(instance),
    traceId: toPlainText(traceId),
  }
}

/** The reason as a service repeats it in its reply; few do. */
function readEcho({ json }: UpstreamReply): { text?: string } {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'text')) return {}
  const text: unknown = Reflect.get(json, 'text')
  if (text === null) return { text: '' }
  return typeof text === 'string' ? { text: toPlainText(text) ?? '' } : {}
}

/** Judges a reply to the request that cancels by its status alone; what is in it are only words. */
export function classifyReply(reply: UpstreamReply): SendOutcome {
  const { status } = reply
  const evidence = readReplyEvidence(reply)
  if (status >= 200 && status < 300) return { kind: 'accepted', reply: { ...evidence, ...readEcho(reply) } }
  if (status === 401 || status === 403) return { kind: 'refused', reply: evidence }
  if (status === 429) return { kind: 'slow-down', reply: evidence, retryAfter: reply.headers['retry-after'] }
  if (status >= 400 && status < 500 && !indefinite.includes(status)) return { kind: 'declined', reply: evidence }
  return { kind: 'unknown', reply: evidence }
}

/** Judges a request that brought no reply. Only proof that nothing was written makes it not sent. */
export function classifyFailure(error: unknown): SendOutcome {
  if (!(error instanceof AppError)) return { kind: 'unknown', failure: 'internal' }
  const { code, evidence } = error
  // 'bad-request' is our own: the address could not be built, so there was nothing to write.
  if (evidence.written === false || code === 'bad-request') return { kind: 'not-sent', failure: code }
  return { kind: 'unknown', failure: code, ...(evidence.upstream && { reply: { status: evidence.upstream.status } }) }
}

/**
 * Whether a refusal by 4xx is about the request's form. Any other (404, 409, 410, 422 …) may also be the
 * answer to a doubled request whose first was accepted and takes effect a little later.
 */
export function isFormal(reply: ReplyEvidence | undefined): boolean {
  return reply !== undefined && formal.includes(reply.status)
}

type Target = { state: CancellationState; change: Change }

const longestUnsaid = 30_000
/** No request can be built for such a payment, however often. */
const hopeless = 'bad-request'

/** How long to wait after a 429: as the service says, else as long as it has already taken, up to 30 s. */
function chooseDelay({ clock, rules }: Ledger, row: CancellationRow, retryAfter: string | undefined): number {
  const said = retryDelayMs(retryAfter, clock.wall())
  // The rows of a bulk stand in line for long without having asked; its own pace makes them slower.
  const waited = row.bulkId === null ? elapsed(row.undecidedSince, clock.store.now()) : 0
  return said ?? Math.min(Math.max(waited, rules.readEvery), longestUnsaid)
}

function quoteReply({ detail, title }: ReplyEvidence): string | null {
  return detail ?? title ?? null
}

/** An earlier request may still have been done, so nothing about this one makes it sure that it was not. */
function stayUnknown(ledger: Ledger, row: CancellationRow, outcome: SendOutcome, delay: number): Target {
  const surelyNothing = outcome.kind === 'not-sent' || outcome.kind === 'slow-down'
  const attempts = surelyNothing ? row.attempts - 1 : row.attempts
  // However long the service wants to be left alone: a person is asked in time.
  const left = ledger.rules.personAfter - elapsed(row.undecidedSince ?? row.stateSince, ledger.clock.store.now())
  const wait = Math.min(delay, Math.max(left, ledger.rules.readEvery))
  return { state: 'unknown', change: { attempts, dueAt: ledger.clock.store.sql(wait) } }
}

function chooseTarget(ledger: Ledger, row: CancellationRow, outcome: SendOutcome): Target {
  const failure = 'failure' in outcome ? outcome.failure : undefined
  const { readEvery } = ledger.rules
  const dueAt = ledger.clock.store.sql(readEvery)
  const delay = outcome.kind === 'slow-down' ? chooseDelay(ledger, row, outcome.retryAfter) : readEvery
  if (outcome.kind === 'accepted') return { state: 'accepted', change: { dueAt } }
  if (outcome.kind === 'unknown' || row.attempts > 1) return stayUnknown(ledger, row, outcome, delay)
  switch (outcome.kind) {
    case 'declined':
      return { state: 'declined', change: { dueAt, detail: quoteReply(outcome.reply) } }
    case 'refused': {
      // What a service says of our credential is for its operator, not for the user.
      const detail = outcome.reply.status === 401 ? null : quoteReply(outcome.reply)
      return { state: 'not-cancelled', change: { outcomeReason: 'refused', detail } }
    }
    case 'slow-down':
      return {
        state: 'waiting',
        change: { attempts: 0, outcomeReason: 'slow-down', dueAt: ledger.clock.store.sql(delay) },
      }
    default:
      // A row of a bulk goes back in line: its request surely never left, and may well when it is its turn again. So does
      // what was held up past its lease: it is read again, and sent if what the user saw still holds.
      return failure === leaseLost || (row.bulkId !== null && failure !== hopeless)
        ? { state: 'waiting', change: { attempts: 0, dueAt } }
        : { state: 'not-cancelled', change: { attempts: 0, outcomeReason: 'not-sent' } }
  }
}

/** Whether the service says that another reason arrived than was sent. Its words are bounded, so is what they are held against. */
function findWarning(row: CancellationRow, outcome: SendOutcome): Evidence['warning'] {
  const echo = outcome.kind === 'accepted' ? outcome.reply.text : undefined
  return echo === undefined || echo === (toPlainText(row.reason) ?? '') ? undefined : 'reason-not-delivered'
}

/** The row as it is, if the same request was meanwhile given up as unknown by another process. */
async function findGivenUp({ db }: Ledger, row: CancellationRow): Promise<CancellationRow | null> {
  const [found] = await db.select().from(cancellations).where(eq(cancellations.id, row.id))
  const isSame = found?.attempts === row.attempts && found.sentAt?.getTime() === row.sentAt?.getTime()
  return found?.state === 'unknown' && isSame ? found : null
}

/**
 * Step 5 of a cancellation (docs/architecture.md): writes down what is known after a request. A late answer still
 * counts for a request that was given up as unknown. Answers the row as it then is, null when it was no longer this
 * request's turn.
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
  if (outcome.kind === 'refused')
    ledger.report('cancellation-refused', { cancellationId: row.id, status: outcome.reply.status })
  const changed = await changeState(ledger, row, state, { ...change, evidence })
  if (changed) return changed
  const givenUp = await findGivenUp(ledger, row)
  if (!givenUp) return null
  // It surely never left, and its turn in the bulk is over.
  if (state === 'waiting' && outcome.kind === 'not-sent')
    return changeState(ledger, givenUp, 'not-cancelled', { attempts: 0, outcomeReason: 'not-sent', evidence })
  return canTransition(givenUp.state, state) ? changeState(ledger, givenUp, state, { ...change, evidence }) : null
}
