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
  keepHeadSecret,
  nameHeadsFile,
  type SignedHead,
  signHead,
} from './signed-head'

/** After so many rows a head is signed before its time. */
const mostRows = 1_000
/** A newer head says more than an older one: past this many, the oldest is not sent any more. */
const mostWaiting = 100
/** In milliseconds. */
const longestSending = 5_000
const longestPause = 5 * 60_000
const shortestPause = 15_000

export type HeadSignerOptions = {
  db: Database
  secret: string
  /** To which each head is appended. */
  file: string
  /** To which each head is sent too. */
  address?: string | undefined
  /** How long rows may go without a signed head, in milliseconds. */
  every: number
}

/**
 * Signs the last row of the activity log and gives the head out: to a file, to the line log and to an address. Before it
 * signs, it checks that the log still goes on from the head before, so that it never vouches for a log that was replaced
 * or cut between two heads.
 */
export class HeadSigner {
  readonly #options: HeadSignerOptions
  readonly #key: HeadKey
  #last: SignedHead | null
  #waiting: SignedHead[] = []
  #pause = shortestPause
  #sendAfter = 0
  #toldBroken = Number.NEGATIVE_INFINITY

  private constructor(options: HeadSignerOptions, key: HeadKey, last: SignedHead | null) {
    this.#options = options
    this.#key = key
    this.#last = last
  }

  /** Takes up where the file ends. Throws what the file system throws. */
  static async open(options: HeadSignerOptions): Promise<HeadSigner> {
    const key = deriveHeadKey(options.secret)
    const isOwn = (head: SignedHead) => head.key === key.publicKey && isSignedByItsKey(head)
    return new HeadSigner(options, key, await findLastHead(options.file, isOwn))
  }

  /** Signs a head if one is due, or if the desk ends and there are rows without one. Throws what the store and the file throw. */
  async signIfDue(now: Date, isLast = false): Promise<void> {
    const head = await this.#readHead()
    const last = this.#last
    if (head.sequence === (last?.sequence ?? 0) && head.hash === (last?.hash ?? head.hash)) return
    const isDue =
      last === null ||
      isLast ||
      head.sequence <= last.sequence ||
      head.sequence >= last.sequence + mostRows ||
      now.getTime() - Date.parse(last.at) >= this.#options.every
    if (!isDue) return
    const checked = last === null ? head : await this.#check(last, head, now)
    if (checked) await this.#giveOut(signHead(checked, this.#key, now))
  }

  /** Sends what was signed and not yet taken, until `signal` ends it. What fails is tried again later, after a pause that doubles. */
  async send(now: Date, signal?: AbortSignal): Promise<void> {
    const { address } = this.#options
    if (address === undefined || now.getTime() < this.#sendAfter) return
    for (let head = this.#waiting[0]; head; head = this.#waiting[0]) {
      try {
        await postHead(address, head, signal)
      } catch (error) {
        this.#sendAfter = now.getTime() + this.#pause
        this.#pause = Math.min(this.#pause * 2, longestPause)
        log.warn({ event: 'activity-head-not-sent', waiting: this.#waiting.length, error: describeError(error) })
        return
      }
      this.#waiting.shift()
      this.#pause = shortestPause
    }
  }

  async #readHead(): Promise<ChainHead> {
    const { sequence, hash } = activity
    const [head] = await this.#options.db.select({ sequence, hash }).from(activity).orderBy(desc(sequence)).limit(1)
    return head ?? { sequence: 0, hash: '' }
  }

  /** The head to sign, if the log goes on from the last one; else says so, as often as heads are due, and answers null. */
  async #check(last: SignedHead, head: ChainHead, now: Date): Promise<ChainHead | null> {
    const verdict = await this.#verifySince(last, head)
    if (verdict.holds) return { sequence: verdict.count, hash: verdict.head }
    if (now.getTime() - this.#toldBroken < this.#options.every) return null
    this.#toldBroken = now.getTime()
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

  async #giveOut(head: SignedHead): Promise<void> {
    log.info({ event: 'activity-head', head })
    await appendHead(this.#options.file, head)
    this.#last = head
    if (this.#options.address !== undefined) this.#waiting = [...this.#waiting, head].slice(-mostWaiting)
  }
}

async function postHead(address: string, head: SignedHead, end?: AbortSignal): Promise<void> {
  const inTime = AbortSignal.timeout(longestSending)
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(head),
    redirect: 'error',
    signal: end ? AbortSignal.any([inTime, end]) : inTime,
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

declare global {
  /** One per process, in whichever of Next's module graphs it was started. */
  var debitdeskHeads:
    | {
        signer: HeadSigner
        task: PeriodicTask
        /** Ends all sending. */
        ending: AbortController
      }
    | undefined
}

/** In milliseconds. How often the log is looked at, and how long all that is sent may take when the desk ends. */
const lookEvery = 15_000
const longestLast = 2_500

async function look(signer: HeadSigner, isLast = false): Promise<void> {
  try {
    await signer.signIfDue(new Date(), isLast)
  } catch (error) {
    log.error({ event: 'activity-head-not-signed', error: describeError(error) })
  }
}

/**
 * Signs heads of the activity log from now on (see HeadSigner); waits for the first. A desk without a key and a place to
 * keep one goes on without, and the log says so.
 */
export async function startHeads(): Promise<void> {
  if (globalThis.debitdeskHeads) return
  const { DATA_DIR, ACTIVITY_KEY, ACTIVITY_HEADS_URL, ACTIVITY_HEADS_EVERY } = getSettings()
  try {
    const signer = await HeadSigner.open({
      db: (await getStore()).db,
      secret: await keepHeadSecret(DATA_DIR, ACTIVITY_KEY),
      file: nameHeadsFile(DATA_DIR),
      address: ACTIVITY_HEADS_URL,
      every: ACTIVITY_HEADS_EVERY,
    })
    await look(signer)
    const ending = new AbortController()
    const task = startPeriodicTask(async () => {
      await look(signer)
      await signer.send(new Date(), ending.signal)
    }, lookEvery)
    globalThis.debitdeskHeads = { signer, task, ending }
  } catch (error) {
    log.error({ event: 'activity-heads-off', error: describeError(error) }, 'no head of the activity log is signed')
  }
}

/**
 * Signs and sends what was written since the last head, and then no more. However many heads wait, and however slow their
 * receiver is, it sends for some seconds only. To be called last, before the store closes.
 */
export async function stopHeads(): Promise<void> {
  const worker = globalThis.debitdeskHeads
  if (!worker) return
  globalThis.debitdeskHeads = undefined
  const deadline = setTimeout(() => worker.ending.abort(), longestLast)
  await worker.task.stop()
  await look(worker.signer, true)
  await worker.signer.send(new Date(), worker.ending.signal)
  clearTimeout(deadline)
}
