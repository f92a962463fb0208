import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { checkCancellation } from '../cancellations/check-cancellation'
import { handleCancellation } from '../cancellations/handle-cancellation'
import type { Ledger, Step } from '../cancellations/ledger'
import { reconcile } from '../cancellations/reconcile'
import { requestCancellation } from '../cancellations/request-cancellation'
import { askFor } from './ledger-bench'
import type { Halt } from './model-desks'
import { type Behaviour, behaviours, type ModelWorld } from './model-world'

/** What a sequence needs to know of itself: the keys that were used. */
export type Model = { keys: { key: string; person: number; payment: number; reason: string }[] }

type Command = fc.AsyncCommand<Model, ModelWorld>

const steps: readonly Step[] = [
  'before-intent',
  'after-intent',
  // The worst: what is committed has to hold for what follows.
  ...Array.from({ length: 3 }, () => 'after-sending' as const),
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

/** At which desk, and where its process stops meanwhile. */
type Place = { desk: number; halt: Halt | undefined }
type Asking = Place & { person: number; payment: number; answers: Behaviour[] }

const nameHalt = ({ desk, halt }: Place) => `desk ${desk}${halt ? `, ${halt.how} ${halt.step}` : ''}`

async function ask(world: ModelWorld, asked: Model['keys'][number], { desk, halt }: Place): Promise<void> {
  const actor = world.person(asked.person)
  const instruction = askFor(world.payment(asked.payment), { key: asked.key, reason: asked.reason })
  // Only what is written is held against it: a key that was used for something else was refused.
  if (!world.asked.has(asked.key)) world.asked.set(asked.key, { actor, reason: asked.reason })
  const submit = async (ledger: Ledger) =>
    world.judgeWord((await requestCancellation(ledger, actor, instruction)).cancellation)
  await world.desks.live(desk, submit, halt)
}

function cancel({ person, payment, answers, ...place }: Asking): Command {
  return command(`cancel(${person}, ${payment}, [${answers.join()}], ${nameHalt(place)})`, async (model, world) => {
    const asked = { key: randomUUID(), person, payment, reason: `Reason ${model.keys.length}` }
    model.keys.push(asked)
    world.prepare(world.payment(payment), answers)
    await ask(world, asked, place)
  })
}

const retry = (pick: number, place: Place) =>
  command(`retry(${pick}, ${nameHalt(place)})`, async ({ keys }, world) => {
    const asked = keys[pick % Math.max(1, keys.length)]
    if (asked) await ask(world, asked, place)
  })

const work = (later: number, place: Place) =>
  command(`work(${later} ms, ${nameHalt(place)})`, async (_, world) => {
    world.desks.pass(later)
    await world.desks.live(place.desk, async (ledger) => (await reconcile(ledger)).work, place.halt)
  })

const wake = (desk: number) => command(`wake(${desk})`, (_, world) => world.desks.wake(desk))

const restart = (desk: number) => command(`restart(${desk})`, (_, world) => world.desks.restart(desk))

const change = (payment: number, status: 'Settled' | 'Cancelled') =>
  command(`${status}(${payment})`, async (_, world) => {
    const { id, status: now } = world.payment(payment)
    if (now === 'Pending') world.change(id, { status })
  })

const amount = (payment: number, value: number) =>
  command(`amount(${payment}, ${value})`, async (_, world) => {
    world.change(world.payment(payment).id, { amount: value })
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

const look = (person: number, what: 'check' | 'handle', desk: number) =>
  command(`${what}(${person}, desk ${desk})`, async (_, world) => {
    for (const { id } of await world.rows())
      await world.desks.live(desk, async (ledger) => {
        const actor = world.person(person)
        const view =
          what === 'check'
            ? await checkCancellation(ledger, actor, id)
            : await handleCancellation(ledger, actor, { id, note: 'Looked it up' })
        world.judgeWord(view)
      })
  })

const index = fc.nat({ max: 1 })
const place: fc.Arbitrary<Place> = fc.record({
  desk: index,
  halt: fc.option(fc.record({ step: fc.constantFrom(...steps), how: fc.constantFrom('die', 'pause', 'sleep') }), {
    freq: 3,
    nil: undefined,
  }),
})
const moments = fc.constantFrom(0, 1_100, 16_000, 61_000, 240_000, 960_000)
const working = fc.tuple(moments, place).map((given) => work(...given))

/** How far each desk's own clocks are ahead of the store's, in milliseconds. */
export const modelSkews = fc.tuple(
  ...[1, 2].map(() => fc.constantFrom(0, 16_000, 35_000, -61_000, 900_000, -1_800_000, 1_800_000)),
)

/** Everything that can happen: to the service, to the desks, and by people. */
export const modelCommands = fc.commands(
  [
    fc
      .record({
        person: index,
        payment: index,
        answers: fc.array(fc.constantFrom(...behaviours), { maxLength: 3 }),
      })
      .chain((asking) => place.map((at) => cancel({ ...asking, ...at }))),
    fc.tuple(fc.nat({ max: 5 }), place).map((given) => retry(...given)),
    working,
    working,
    working,
    index.map(wake),
    index.map(restart),
    fc.tuple(index, fc.constantFrom('Settled' as const, 'Cancelled' as const)).map((given) => change(...given)),
    fc.tuple(index, fc.constantFrom(1, 124_500, 999_999)).map((given) => amount(...given)),
    fc
      .constantFrom('sound' as const, 'broken' as const, 'absent' as const, 'no filter' as const, 'slow down' as const)
      .map(reads),
    fc.tuple(index, fc.constantFrom('check' as const, 'handle' as const), index).map((given) => look(...given)),
  ],
  { maxCommands: 18 },
)
