import { eq } from 'drizzle-orm'
import { readPlainText } from '../plain-text'
import { cancellations } from '../store/schema'
import { type Change, changeState } from './change-state'
import { leaseLost, type SendOutcome } from './classify-outcome'
import type { Evidence, ReplyEvidence } from './evidence'
import type { CancellationRow, Ledger } from './ledger'
import { elapsed } from './ledger-clock'
import { readRetryDelay } from '../retry-after'
import { type CancellationState, mayBecome } from './states'

type Target = { state: CancellationState; change: Change }

const longestUnsaid = 30_000
/** No request can be built for such a payment, however often. */
const hopeless = 'bad-request'

/** How long to wait after a 429: as the service says, else as long as it has already taken, up to 30 s. */
function chooseDelay({ clock, rules }: Ledger, row: CancellationRow, retryAfter: string | undefined): number {
  const said = readRetryDelay(retryAfter, clock.wall())
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
  return echo === undefined || echo === (readPlainText(row.reason) ?? '') ? undefined : 'reason-not-delivered'
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
  return mayBecome(givenUp.state, state) ? changeState(ledger, givenUp, state, { ...change, evidence }) : null
}
