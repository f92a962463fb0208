import { desc } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { describeError, log } from '../runtime/log'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task'
import { getSettings } from '../runtime/settings'
import { activity } from '../store/schema'
import { getStore } from '../store/store'
import { type ChainHead, type ChainVerdict, verifyChainAfter } from './hash-chain'
import {
  appendHead,
  deriveHeadKey,
  findLastHead,
  type HeadKey,
  isSignedByItsKey,
  ensureHeadSecret,
  getHeadsPath,
  type SignedHead,
  signHead,
} from './signed-head'

/** After this many rows a head is signed early. */
const MAX_UNSIGNED_ROWS = 1_000
/** Unsent heads to keep; a newer head proves more than an older one. */
const MAX_QUEUED = 100
const SEND_TIMEOUT_MS = 5_000
const MAX_RETRY_DELAY_MS = 5 * 60_000
const MIN_RETRY_DELAY_MS = 15_000

export type HeadSignerOptions = {
  db: Database
  secret: string
  /** Heads are appended to this file. */
  file: string
  /** Heads are also posted to this URL. */
  address?: string | undefined
  /** Maximum time that rows stay without a signed head, in ms. */
  every: number
}

/**
 * Signs the last row of the activity log and publishes that head: to a file, the operator's log and a URL. Before
 * signing it verifies that the log continues from the previous head, so as not to vouch for a log that was replaced or
 * cut between two heads.
 */
export class HeadSigner {
  readonly #options: HeadSignerOptions
  readonly #key: HeadKey
  #last: SignedHead | null
  #queue: SignedHead[] = []
  /** Signed heads that the file doesn't hold yet, because it could not be written. */
  readonly #unwritten: SignedHead[] = []
  #retryDelay = MIN_RETRY_DELAY_MS
  #retryAt = 0
  #reportedBrokenAt = Number.NEGATIVE_INFINITY

  private constructor(options: HeadSignerOptions, key: HeadKey, last: SignedHead | null) {
    this.#options = options
    this.#key = key
    this.#last = last
  }

  /** Continues after the last own head in the file. */
  static async open(options: HeadSignerOptions): Promise<HeadSigner> {
    const key = deriveHeadKey(options.secret)
    const isOwn = (head: SignedHead) => head.key === key.publicKey && isSignedByItsKey(head)
    return new HeadSigner(options, key, await findLastHead(options.file, isOwn))
  }

  /** Signs a head if one is due or, with `isLast`, if there are rows without one. */
  async signIfDue(now: Date, isLast = false): Promise<void> {
    await this.#sign(now, isLast)
    await this.#write()
  }

  async #sign(now: Date, isLast: boolean): Promise<void> {
    const head = await this.#readHead()
    const last = this.#last
    if (head.sequence === (last?.sequence ?? 0) && head.hash === (last?.hash ?? head.hash)) return
    const isDue =
      last === null ||
      isLast ||
      head.sequence <= last.sequence ||
      head.sequence >= last.sequence + MAX_UNSIGNED_ROWS ||
      now.getTime() - Date.parse(last.at) >= this.#options.every ||
      // By a clock that was ahead.
      Date.parse(last.at) > now.getTime()
    if (!isDue) return
    const checked = last === null ? head : await this.#verifyHead(last, head, now)
    if (checked) this.#publish(signHead(checked, this.#key, now))
  }

  /** Sends the queued heads until `signal` aborts. After a failure it retries with a growing delay. */
  async send(now: Date, signal?: AbortSignal): Promise<void> {
    const { address } = this.#options
    const pause = this.#retryAt - now.getTime()
    // A longer one was set by a clock that was ahead.
    if (address === undefined || (pause > 0 && pause <= MAX_RETRY_DELAY_MS)) return
    for (let head = this.#queue[0]; head; head = this.#queue[0]) {
      try {
        await postHead(address, head, signal)
      } catch (error) {
        this.#retryAt = now.getTime() + this.#retryDelay
        this.#retryDelay = Math.min(this.#retryDelay * 2, MAX_RETRY_DELAY_MS)
        log.warn({ event: 'activity-head-not-sent', waiting: this.#queue.length, error: describeError(error) })
        return
      }
      this.#queue.shift()
      this.#retryDelay = MIN_RETRY_DELAY_MS
    }
  }

  async #readHead(): Promise<ChainHead> {
    const { sequence, hash } = activity
    const [head] = await this.#options.db.select({ sequence, hash }).from(activity).orderBy(desc(sequence)).limit(1)
    return head ?? { sequence: 0, hash: '' }
  }

  /** The head to sign, or null if the log does not continue from the last one, which is logged once per interval. */
  async #verifyHead(last: SignedHead, head: ChainHead, now: Date): Promise<ChainHead | null> {
    const verdict = await this.#verifySince(last, head)
    if (verdict.holds) return { sequence: verdict.count, hash: verdict.head }
    if (Math.abs(now.getTime() - this.#reportedBrokenAt) < this.#options.every) return null
    this.#reportedBrokenAt = now.getTime()
    log.error(
      { event: 'activity-chain-broken', signed: last.sequence, row: verdict.sequence, reason: verdict.reason },
      'the activity log does not go on from its last signed head: run npm run verify-activity',
    )
    return null
  }

  async #verifySince(last: SignedHead, head: ChainHead): Promise<ChainVerdict> {
    if (head.sequence > last.sequence) return verifyChainAfter(this.#options.db, last)
    if (head.sequence === last.sequence) return { holds: false, sequence: head.sequence, reason: 'replaced' }
    return { holds: false, sequence: head.sequence + 1, reason: 'cut' }
  }

  #publish(head: SignedHead): void {
    log.info({ event: 'activity-head', head })
    this.#last = head
    this.#unwritten.push(head)
    if (this.#options.address !== undefined) this.#queue = [...this.#queue, head].slice(-MAX_QUEUED)
  }

  /** Appends to the file what is not there yet; throws while it can't be written. */
  async #write(): Promise<void> {
    for (let head = this.#unwritten[0]; head; head = this.#unwritten[0]) {
      await appendHead(this.#options.file, head)
      this.#unwritten.shift()
    }
  }
}

async function postHead(address: string, head: SignedHead, signal?: AbortSignal): Promise<void> {
  const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS)
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(head),
    redirect: 'error',
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

declare global {
  /** Global because Next loads this module once per module graph. */
  var debitdeskHeads:
    | {
        signer: HeadSigner
        task: PeriodicTask
        /** Aborts all sending. */
        abort: AbortController
      }
    | undefined
}

/** How often heads are considered, and the time limit for the last ones when the process stops. */
const CHECK_INTERVAL_MS = 15_000
const LAST_SEND_TIMEOUT_MS = 2_500

async function trySign(signer: HeadSigner, isLast = false): Promise<void> {
  try {
    await signer.signIfDue(new Date(), isLast)
  } catch (error) {
    log.error({ event: 'activity-head-not-signed', error: describeError(error) })
  }
}

/** Starts signing heads; resolves after the first. Without a key and a place to store one, only logs an error. */
export async function startHeads(): Promise<void> {
  if (globalThis.debitdeskHeads) return
  const { DATA_DIR, ACTIVITY_KEY, ACTIVITY_HEADS_URL, ACTIVITY_HEADS_EVERY } = getSettings()
  try {
    const signer = await HeadSigner.open({
      db: (await getStore()).db,
      secret: await ensureHeadSecret(DATA_DIR, ACTIVITY_KEY),
      file: getHeadsPath(DATA_DIR),
      address: ACTIVITY_HEADS_URL,
      every: ACTIVITY_HEADS_EVERY,
    })
    await trySign(signer)
    const abort = new AbortController()
    const task = startPeriodicTask(async () => {
      await trySign(signer)
      await signer.send(new Date(), abort.signal)
    }, CHECK_INTERVAL_MS)
    globalThis.debitdeskHeads = { signer, task, abort }
  } catch (error) {
    log.error({ event: 'activity-heads-off', error: describeError(error) }, 'no head of the activity log is signed')
  }
}

/** Signs and sends what is left, within LAST_SEND_TIMEOUT_MS, and stops. Call it last, before the store closes. */
export async function stopHeads(): Promise<void> {
  const worker = globalThis.debitdeskHeads
  if (!worker) return
  globalThis.debitdeskHeads = undefined
  const deadline = setTimeout(() => worker.abort.abort(), LAST_SEND_TIMEOUT_MS)
  await worker.task.stop()
  await trySign(worker.signer, true)
  await worker.signer.send(new Date(), worker.abort.signal)
  clearTimeout(deadline)
}
