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

/** The state of a sequence: the keys used so far. */
export type Model = { keys: { key: string; person: number; payment: number; reason: string }[] }

type Command = fc.AsyncCommand<Model, ModelWorld>

const steps: readonly Step[] = [
  'before-intent',
  'after-intent',
  // The most critical step: the commit must be enough for whatever follows.
  ...Array.from({ length: 3 }, () => 'after-sending' as const),
  'after-reply',
  'after-outcome',
  'during-read',
  'before-resend',
]

/** A named command, followed by a check of the invariants. */
function command(name: string, run: (model: Model, world: ModelWorld) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, world) => {
      await run(model, world)
      await world.checkInvariants()
    },
    toString: () => name,
  }
}

/** The desk of a command, and where its process stops. */
type Place = { desk: number; halt: Halt | undefined }
type CancelArguments = Place & { person: number; payment: number; answers: Behaviour[] }

const describePlace = ({ desk, halt }: Place) => `desk ${desk}${halt ? `, ${halt.how} ${halt.step}` : ''}`

async function submitCancellation(
  world: ModelWorld,
  entry: Model['keys'][number],
  { desk, halt }: Place,
): Promise<void> {
  const actor = world.person(entry.person)
  const instruction = askFor(world.payment(entry.payment), { key: entry.key, reason: entry.reason })
  // The first use of a key counts: reuse for something else is refused.
  if (!world.asked.has(entry.key)) world.asked.set(entry.key, { actor, reason: entry.reason })
  const submit = async (ledger: Ledger) =>
    world.checkReported((await requestCancellation(ledger, actor, instruction)).cancellation)
  await world.desks.run(desk, submit, halt)
}

function cancel({ person, payment, answers, ...place }: CancelArguments): Command {
  return command(
    `cancel(${person}, ${payment}, [${answers.join()}], ${describePlace(place)})`,
    async (model, world) => {
      const entry = { key: randomUUID(), person, payment, reason: `Reason ${model.keys.length}` }
      model.keys.push(entry)
      world.prepare(world.payment(payment), answers)
      await submitCancellation(world, entry, place)
    },
  )
}

const retry = (pick: number, place: Place) =>
  command(`retry(${pick}, ${describePlace(place)})`, async ({ keys }, world) => {
    const entry = keys[pick % Math.max(1, keys.length)]
    if (entry) await submitCancellation(world, entry, place)
  })

const work = (later: number, place: Place) =>
  command(`work(${later} ms, ${describePlace(place)})`, async (_, world) => {
    world.desks.advance(later)
    await world.desks.run(place.desk, async (ledger) => (await runPass(ledger)).work, place.halt)
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

const setReads = (how: 'sound' | 'broken' | 'absent' | 'no filter' | 'slow down') =>
  command(`reads(${how})`, async (_, { fixture: { service } }) => {
    service.lists.answer = () => {
      if (how === 'broken') return { status: 503 }
      return how === 'slow down' ? { status: 429, headers: { 'retry-after': '1' } } : null
    }
    service.lists.show = (shown) => (how === 'absent' ? null : shown)
    service.lists.filter = how === 'no filter' ? 'ignored' : 'honoured'
  })

const review = (person: number, what: 'check' | 'handle', desk: number) =>
  command(`${what}(${person}, desk ${desk})`, async (_, world) => {
    for (const { id } of await world.rows())
      await world.desks.run(desk, async (ledger) => {
        const actor = world.person(person)
        const view =
          what === 'check'
            ? await checkCancellation(ledger, actor, id)
            : await handleCancellation(ledger, actor, { id, note: 'Looked it up' })
        world.checkReported(view)
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
const delays = fc.constantFrom(0, 1_100, 16_000, 61_000, 240_000, 960_000)
const workCommands = fc.tuple(delays, place).map((given) => work(...given))

/** Offset of each desk's clocks from the store's, in milliseconds. */
export const modelSkews = fc.tuple(
  ...[1, 2].map(() => fc.constantFrom(0, 16_000, 35_000, -61_000, 900_000, -1_800_000, 1_800_000)),
)

/** All possible events: at the service, at the desks and by people. */
export const modelCommands = fc.commands(
  [
    fc
      .record({
        person: index,
        payment: index,
        answers: fc.array(fc.constantFrom(...behaviours), { maxLength: 3 }),
      })
      .chain((cancellation) => place.map((at) => cancel({ ...cancellation, ...at }))),
    fc.tuple(fc.nat({ max: 5 }), place).map((given) => retry(...given)),
    workCommands,
    workCommands,
    workCommands,
    index.map(wake),
    index.map(restart),
    fc.tuple(index, fc.constantFrom('Settled' as const, 'Cancelled' as const)).map((given) => change(...given)),
    fc.tuple(index, fc.constantFrom(1, 124_500, 999_999)).map((given) => amount(...given)),
    fc
      .constantFrom('sound' as const, 'broken' as const, 'absent' as const, 'no filter' as const, 'slow down' as const)
      .map(setReads),
    fc.tuple(index, fc.constantFrom('check' as const, 'handle' as const), index).map((given) => review(...given)),
  ],
  { maxCommands: 18 },
)

/** Seeds that failed before, here or for whoever runs the tests; tried first. */
const seedsFile = fileURLToPath(new URL('model-seeds.json', import.meta.url))
const PASS_INTERVAL_MS = 25_000
/** Enough for another desk to take over the work of a paused one. */
const PASSES_BEFORE_WAKING = 16
/** 15 minutes plus the lease of a dead desk and a wait requested by the service. */
const PASSES_TO_THE_END = 42

function readSeeds(): { seed: number; path: string }[] {
  return existsSync(seedsFile) ? JSON.parse(readFileSync(seedsFile, 'utf8')) : []
}

/** Lets the desks work in turn for a number of passes; returns the cancellations that are still open. */
async function runPasses(world: ModelWorld, passes: number): Promise<CancellationRow[]> {
  for (let pass = 0; ; pass += 1) {
    await world.desks.run(pass % 2, async (ledger) => (await runPass(ledger)).work)
    await world.checkInvariants()
    const open = (await world.rows()).filter(({ closedAt }) => closedAt === null)
    if (open.length === 0 || pass === passes) return open
    world.desks.advance(PASS_INTERVAL_MS)
  }
}

/** I1: with a sound service and all desks awake, every cancellation ends or is left to a person within 15 minutes. */
async function finishAll(world: ModelWorld): Promise<void> {
  world.fixture.service.mend()
  await runPasses(world, PASSES_BEFORE_WAKING)
  for (const desk of [0, 1]) await world.desks.wake(desk)
  await world.checkInvariants()
  const open = await runPasses(world, PASSES_TO_THE_END)
  if (open.length > 0)
    throw new Error(`I1: still open: ${open.map(({ state, lastRead }) => `${state} ${lastRead}`).join()}`)
}

/**
 * Checks the invariants I1 to I8 with `runs` random sequences of commands, after those that failed before. A failure is
 * shrunk, its seed saved beside this file, and thrown.
 */
export async function runModel(runs: number, injectFault?: (ledger: Ledger) => Ledger): Promise<void> {
  const fixture = await LedgerFixture.start()
  const property = fc.asyncProperty(modelSkews, modelCommands, async (skews, commands) => {
    const world = new ModelWorld(fixture, skews, injectFault)
    const model: Model = { keys: [] }
    await fc.asyncModelRun(() => ({ model, real: world }), commands)
    await finishAll(world)
  })
  try {
    for (const saved of injectFault ? [] : readSeeds()) await fc.assert(property, { ...saved, numRuns: 1 })
    const result = await fc.check(property, { numRuns: runs })
    if (result.failed) {
      if (!injectFault)
        writeFileSync(
          seedsFile,
          `${JSON.stringify([...readSeeds(), { seed: result.seed, path: result.counterexamplePath }], null, 2)}\n`,
        )
      throw new Error(`${String(result.errorInstance)}\n${await fc.asyncDefaultReportMessage(result)}`)
    }
    const { holds } = await verifyChain(fixture.store.db)
    if (!holds) throw new Error('I7: the chain of the activity log does not hold')
  } finally {
    await fixture.close()
  }
}
