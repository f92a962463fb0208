import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { checkCancellation } from '../cancellations/check-cancellation'
import { handleCancellation } from '../cancellations/handle-cancellation'
import type { Step } from '../cancellations/ledger'
import { reconcile } from '../cancellations/reconcile'
import { requestCancellation } from '../cancellations/request-cancellation'
import { Failure } from '../failure'
import { askFor } from './ledger-bench'
import { type Behaviour, behaviours, type ModelWorld } from './model-world'

/** What a sequence needs to know of itself: the keys that were used. */
export type Model = { keys: { key: string; person: number; payment: number; reason: string }[] }

type Command = fc.AsyncCommand<Model, ModelWorld>

const steps: readonly Step[] = [
  'before-intent',
  'after-intent',
  'after-sending',
  'after-reply',
  'after-outcome',
  'during-read',
  'before-resend',
]

/** A command by its name; judged after each. */
function command(name: string, run: (model: Model, world: ModelWorld) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, world) => {
      await run(model, world)
      await world.judge()
    },
    toString: () => name,
  }
}

type Asking = { person: number; payment: number; answers: Behaviour[]; dieAt: Step | null }

async function ask(world: ModelWorld, asked: Model['keys'][number], dieAt: Step | null): Promise<void> {
  const actor = world.person(asked.person)
  const instruction = askFor(world.payment(asked.payment), { key: asked.key, reason: asked.reason })
  // Only what is written is held against it: a key that was used for something else was refused.
  if (!world.asked.has(asked.key)) world.asked.set(asked.key, { actor, reason: asked.reason })
  const answer = await world.live((ledger) => requestCancellation(ledger, actor, instruction), dieAt ?? undefined)
  if (answer && !(answer instanceof Failure)) world.judgeWord(answer.cancellation)
}

function cancel({ person, payment, answers, dieAt }: Asking): Command {
  return command(`cancel(${person}, ${payment}, [${answers.join()}], ${dieAt})`, async (model, world) => {
    const asked = { key: randomUUID(), person, payment, reason: `Reason ${model.keys.length}` }
    model.keys.push(asked)
    world.prepare(world.payment(payment), answers)
    await ask(world, asked, dieAt)
  })
}

const retry = (pick: number, dieAt: Step | null) =>
  command(`retry(${pick}, ${dieAt})`, async ({ keys }, world) => {
    const asked = keys[pick % Math.max(1, keys.length)]
    if (asked) await ask(world, asked, dieAt)
  })

const work = (later: number, dieAt: Step | null) =>
  command(`work(${later} ms, ${dieAt})`, async (_, world) => {
    world.pass(later)
    await world.live(async (ledger) => (await reconcile(ledger)).work, dieAt ?? undefined)
  })

const change = (payment: number, status: 'Settled' | 'Cancelled') =>
  command(`${status}(${payment})`, async (_, world) => {
    const { id, status: now } = world.payment(payment)
    if (now === 'Pending') world.bench.service.change(id, { status })
  })

const amount = (payment: number, value: number) =>
  command(`amount(${payment}, ${value})`, async (_, world) => {
    world.bench.service.change(world.payment(payment).id, { amount: value })
  })

const reads = (how: 'sound' | 'broken' | 'absent' | 'no filter' | 'slow down') =>
  command(`reads(${how})`, async (_, { bench: { service } }) => {
    service.lists.answer = () => {
      if (how === 'broken') return { status: 503 }
      return how === 'slow down' ? { status: 429, headers: { 'retry-after': '1' } } : null
    }
    service.lists.show = (shown) => (how === 'absent' ? null : shown)
    service.lists.filter = how === 'no filter' ? 'ignored' : 'honoured'
  })

const look = (person: number, what: 'check' | 'handle') =>
  command(`${what}(${person})`, async (_, world) => {
    for (const { id } of await world.rows()) {
      const view = await world.live((ledger) =>
        what === 'check'
          ? checkCancellation(ledger, world.person(person), id)
          : handleCancellation(ledger, world.person(person), { id, note: 'Looked it up' }),
      )
      if (view && !(view instanceof Failure)) world.judgeWord(view)
    }
  })

const index = fc.nat({ max: 1 })
const death = fc.option(fc.constantFrom(...steps), { freq: 3 })
const moments = fc.constantFrom(0, 1_100, 16_000, 61_000, 240_000, 960_000)

/** Everything that can happen: to the service, to the desk, and by people. */
export const modelCommands = fc.commands(
  [
    fc
      .record({
        person: index,
        payment: index,
        answers: fc.array(fc.constantFrom(...behaviours), { maxLength: 3 }),
        dieAt: death,
      })
      .map(cancel),
    fc.tuple(fc.nat({ max: 5 }), death).map(([pick, dieAt]) => retry(pick, dieAt)),
    fc.tuple(moments, death).map(([later, dieAt]) => work(later, dieAt)),
    fc.tuple(moments, death).map(([later, dieAt]) => work(later, dieAt)),
    fc.tuple(index, fc.constantFrom('Settled' as const, 'Cancelled' as const)).map((given) => change(...given)),
    fc.tuple(index, fc.constantFrom(1, 124_500, 999_999)).map((given) => amount(...given)),
    fc
      .constantFrom('sound' as const, 'broken' as const, 'absent' as const, 'no filter' as const, 'slow down' as const)
      .map(reads),
    fc.tuple(index, fc.constantFrom('check' as const, 'handle' as const)).map((given) => look(...given)),
  ],
  { maxCommands: 16 },
)
