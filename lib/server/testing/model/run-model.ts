import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { verifyChain } from '../../activity-log/hash-chain'
import type { CancellationRow, Ledger, Step } from '../../cancellations/ledger'
import { checkCancellation, handleCancellation } from '../../cancellations/manual-review'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { runPass } from '../../cancellations/worker'
import { askFor, LedgerFixture } from '../ledger-fixture'
import { type Behaviour, behaviours, type Halt, ModelWorld } from './model-world'

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
    await world.desks.live(place.desk, async (ledger) => (await runPass(ledger)).work, place.halt)
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

/** Seeds on which it once failed, by us or by whoever runs the tests; tried before all others. */
const seedsFile = fileURLToPath(new URL('model-seeds.json', import.meta.url))
const passEvery = 25_000
/** In which another desk takes up what a paused one was at. */
const passesBeforeWaking = 16
/** Longer than the 15 minutes by a lease of a dead desk and a wait that the service asked for. */
const passesToTheEnd = 42

function readSeeds(): { seed: number; path: string }[] {
  return existsSync(seedsFile) ? JSON.parse(readFileSync(seedsFile, 'utf8')) : []
}

/** Lets the desks work in turn, at most so often; answers those that are still open. */
async function workOn(world: ModelWorld, passes: number): Promise<CancellationRow[]> {
  for (let pass = 0; ; pass += 1) {
    await world.desks.live(pass % 2, async (ledger) => (await runPass(ledger)).work)
    await world.judge()
    const open = (await world.rows()).filter(({ closedAt }) => closedAt === null)
    if (open.length === 0 || pass === passes) return open
    world.desks.pass(passEvery)
  }
}

/** I1: once the service is sound again and every desk awake, everything comes to its end, or to a person within 15 minutes. */
async function endAll(world: ModelWorld): Promise<void> {
  world.bench.service.mend()
  await workOn(world, passesBeforeWaking)
  for (const desk of [0, 1]) await world.desks.wake(desk)
  await world.judge()
  const open = await workOn(world, passesToTheEnd)
  if (open.length > 0)
    throw new Error(`I1: still open: ${open.map(({ state, lastRead }) => `${state} ${lastRead}`).join()}`)
}

/**
 * Runs so many random sequences of commands against the invariants I1 to I8, those that once failed first. A
 * failure is shrunk, its seed saved beside this file, and thrown.
 */
export async function runModel(runs: number, spoil?: (ledger: Ledger) => Ledger): Promise<void> {
  const bench = await LedgerFixture.start()
  const property = fc.asyncProperty(modelSkews, modelCommands, async (skews, commands) => {
    const world = new ModelWorld(bench, skews, spoil)
    const model: Model = { keys: [] }
    await fc.asyncModelRun(() => ({ model, real: world }), commands)
    await endAll(world)
  })
  try {
    for (const saved of spoil ? [] : readSeeds()) await fc.assert(property, { ...saved, numRuns: 1 })
    const result = await fc.check(property, { numRuns: runs })
    if (result.failed) {
      if (!spoil)
        writeFileSync(
          seedsFile,
          `${JSON.stringify([...readSeeds(), { seed: result.seed, path: result.counterexamplePath }], null, 2)}\n`,
        )
      throw new Error(`${String(result.errorInstance)}\n${await fc.asyncDefaultReportMessage(result)}`)
    }
    const { holds } = await verifyChain(bench.store.db)
    if (!holds) throw new Error('I7: the chain of the activity log does not hold')
  } finally {
    await bench.close()
  }
}
