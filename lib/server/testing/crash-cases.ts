import type { Step } from '../cancellations/ledger'
import type { DeleteSwitch } from './payment-ledger-service'

/** One life and death of the ledger's process, and what must be true after the next one. */
export type CrashCase = {
  name: string
  /** Dies by its own hand at this step, the so-many-th time; else the service kills it, see `killed`. */
  step?: Step
  time?: number
  /** Killed by the service when the DELETE has arrived, before or after its effect. */
  killed?: 'before-effect' | 'after-effect'
  /** How the service answers the first DELETE; a sound service without. */
  first?: DeleteSwitch
  /** So often it is killed once more while it recovers. */
  recovering?: number
  /** What happens to the payment while no process is there. */
  meanwhile?: { status: string } | { amount: number }
  /** The same submission comes again afterwards. */
  askAgain?: boolean
  /** State and reason in the end; null for no cancellation at all. */
  end: readonly [state: string, reason: string | null] | null
  /** The most DELETEs that the service may have seen. */
  most: number
}

const settled = { status: 'Settled' }
const cancelled = ['cancelled', null] as const
const tooLate = ['not-cancelled', 'too-late'] as const
const silent: DeleteSwitch = { effect: false, answer: { hang: true } }
const broken: DeleteSwitch = { effect: false, answer: { status: 500, headers: {}, body: '' } }
const refused: DeleteSwitch = { effect: false, answer: { status: 403, headers: {}, body: '' } }
const lost: DeleteSwitch = { effect: false }
const done = (answer: DeleteSwitch) => ({ ...answer, effect: true })

/** Three or more for each of the failpoints F1 to F9: between any two steps, with what the service may have made of it. */
export const crashCases: Record<string, readonly CrashCase[]> = {
  'F1 before the intent is committed': [
    { name: 'nothing was asked', step: 'before-intent', end: null, most: 0 },
    { name: 'asked again under the same key', step: 'before-intent', askAgain: true, end: cancelled, most: 1 },
    { name: 'settled, asked again', step: 'before-intent', meanwhile: settled, askAgain: true, end: tooLate, most: 0 },
  ],
  'F2 after the intent is committed': [
    { name: 'nothing else', step: 'after-intent', end: cancelled, most: 1 },
    { name: 'settled meanwhile', step: 'after-intent', meanwhile: settled, end: tooLate, most: 0 },
    {
      name: 'another amount meanwhile',
      step: 'after-intent',
      meanwhile: { amount: 999_999 },
      end: ['not-cancelled', 'changed'],
      most: 0,
    },
  ],
  'F3 after "sending" is committed, before anything is written': [
    { name: 'nothing else', step: 'after-sending', end: cancelled, most: 1 },
    { name: 'settled meanwhile', step: 'after-sending', meanwhile: settled, end: tooLate, most: 0 },
    { name: 'asked again under the same key', step: 'after-sending', askAgain: true, end: cancelled, most: 1 },
  ],
  'F4 after the request is written': [
    { name: 'it takes effect', killed: 'before-effect', end: cancelled, most: 1 },
    { name: 'it took effect', killed: 'after-effect', first: done(silent), end: cancelled, most: 1 },
    { name: 'it is lost', killed: 'before-effect', first: lost, end: cancelled, most: 2 },
    {
      name: 'it is lost, settled meanwhile',
      killed: 'before-effect',
      first: lost,
      meanwhile: settled,
      end: tooLate,
      most: 1,
    },
  ],
  'F5 after the reply, before the outcome is committed': [
    { name: '202', step: 'after-reply', end: cancelled, most: 1 },
    { name: '500 without effect', step: 'after-reply', first: broken, end: cancelled, most: 2 },
    { name: '500 with effect', step: 'after-reply', first: done(broken), end: cancelled, most: 1 },
    { name: '403', step: 'after-reply', first: refused, end: cancelled, most: 2 },
  ],
  'F6 after the outcome is committed, before the answer': [
    { name: '202', step: 'after-outcome', end: cancelled, most: 1 },
    { name: '403', step: 'after-outcome', first: refused, end: ['not-cancelled', 'refused'], most: 1 },
    { name: 'a timeout without effect', step: 'after-outcome', first: silent, end: cancelled, most: 2 },
    { name: 'a timeout with effect', step: 'after-outcome', first: done(silent), end: cancelled, most: 1 },
  ],
  'F7 while the payment is read': [
    { name: 'before it is sent', step: 'during-read', time: 1, end: cancelled, most: 1 },
    { name: 'after 202', step: 'during-read', time: 2, end: cancelled, most: 1 },
    { name: 'after a timeout, the second time', step: 'during-read', time: 3, first: silent, end: cancelled, most: 2 },
  ],
  'F8 between the reads and the second request': [
    { name: 'after a timeout', step: 'before-resend', first: silent, end: cancelled, most: 2 },
    { name: 'after 500', step: 'before-resend', first: broken, end: cancelled, most: 2 },
    { name: 'settled meanwhile', step: 'before-resend', first: broken, meanwhile: settled, end: tooLate, most: 1 },
  ],
  'F9 while it recovers': [
    { name: 'an intent never sent', step: 'after-intent', recovering: 2, end: cancelled, most: 1 },
    { name: 'a request never written', step: 'after-sending', recovering: 1, end: cancelled, most: 1 },
    { name: 'a request that took effect', step: 'after-reply', recovering: 1, end: cancelled, most: 1 },
  ],
}
