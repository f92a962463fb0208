import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { verifyChain } from '../activity/verify-chain'
import type { Ledger } from '../cancellations/ledger'
import { reconcile } from '../cancellations/reconcile'
import { LedgerBench } from './ledger-bench'
import { type Model, modelCommands } from './model-commands'
import { ModelWorld } from './model-world'

/** Seeds on which it once failed, by us or by whoever runs the tests; tried before all others. */
const seedsFile = fileURLToPath(new URL('model-seeds.json', import.meta.url))
const passes = 40

function readSeeds(): { seed: number; path: string }[] {
  return existsSync(seedsFile) ? JSON.parse(readFileSync(seedsFile, 'utf8')) : []
}

/** I1: once the service is sound again, everything comes to its end, or to a person within 15 minutes. */
async function endAll(world: ModelWorld): Promise<void> {
  world.bench.service.mend()
  for (let pass = 0; pass < passes; pass += 1) {
    await world.live(async (ledger) => (await reconcile(ledger)).work)
    await world.judge()
    if ((await world.rows()).every(({ closedAt }) => closedAt !== null)) return
    world.pass((15 * 60_000) / passes)
  }
  const open = (await world.rows()).filter(({ closedAt }) => closedAt === null)
  throw new Error(`I1: still open: ${open.map(({ state, lastRead }) => `${state} ${lastRead}`).join()}`)
}

/**
 * Runs so many random sequences of commands against the invariants I1 to I8, those that once failed first. A
 * failure is shrunk, its seed saved beside this file, and thrown.
 */
export async function runModel(runs: number, spoil?: (ledger: Ledger) => Ledger): Promise<void> {
  const bench = await LedgerBench.start()
  const property = fc.asyncProperty(modelCommands, async (commands) => {
    const world = new ModelWorld(bench, spoil)
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
