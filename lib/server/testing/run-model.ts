import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { verifyChain } from '../activity/verify-chain'
import type { CancellationRow, Ledger } from '../cancellations/ledger'
import { reconcile } from '../cancellations/reconcile'
import { LedgerBench } from './ledger-bench'
import { type Model, modelCommands, modelSkews } from './model-commands'
import { ModelWorld } from './model-world'

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
    await world.desks.live(pass % 2, async (ledger) => (await reconcile(ledger)).work)
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
  const bench = await LedgerBench.start()
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
