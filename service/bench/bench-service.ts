import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { benchCases } from './bench-cases'
import { compareSizes } from './compare-sizes'
import { openBench } from './open-bench'

/*
 * `npm run bench:service`: what pages of the payments cost at 10,000 and 100,000 rows (and at a million
 * with --million), on PGlite and on Postgres 15. Only ratios within one run count: the machine may be busy.
 */

/** No page may cost more than this many times what it costs at 10,000 rows. */
const allowed = 3

const { values } = parseArgs({ options: { million: { type: 'boolean' }, only: { type: 'string' } } })
const sizes = values.million ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]
const cases = benchCases('2026-11-20')

async function runPglite(): Promise<boolean> {
  return compareSizes('PGlite', cases, await openAll(() => undefined), allowed)
}

async function openAll(addressOf: (rows: number) => string | undefined) {
  const benches = []
  for (const rows of sizes) benches.push(await openBench(rows, addressOf(rows)))
  return benches
}

async function runPostgres(): Promise<boolean> {
  const postgres = await startPostgres()
  try {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    for (const rows of sizes) await client.query(`create database bench_${rows}`)
    await client.end()
    const addressOf = (rows: number) => postgres.url.replace(/\/postgres$/u, `/bench_${rows}`)
    return await compareSizes('Postgres 15', cases, await openAll(addressOf), allowed)
  } finally {
    await postgres.stop()
  }
}

const results = []
if (values.only !== 'postgres') results.push(await runPglite())
if (values.only !== 'pglite') results.push(await runPostgres())
process.exitCode = results.every(Boolean) ? 0 : 1
