import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { type BenchCase, benchCases, type BenchDatabase, openBenchDatabase } from './bench-database'

const ROUNDS = 31
/** Pages that take seconds are measured in fewer rounds. */
const MAX_DURATION_MS = 30_000
const MIN_ROUNDS = 3
/** How often a page that seems too slow is measured again: a busy machine only ever adds time. */
const MAX_REPEATS = 3

/** Measures the requests alternately, so that load on the machine affects all of them. Returns the minimum of each in milliseconds. */
async function measure(requests: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const fastest = requests.map(() => Number.POSITIVE_INFINITY)
  const started = performance.now()
  for (let round = -3; round < ROUNDS; round += 1) {
    if (round >= MIN_ROUNDS && performance.now() - started > MAX_DURATION_MS) break
    for (const [index, request] of requests.entries()) {
      const began = performance.now()
      await request()
      if (round >= 0) fastest[index] = Math.min(fastest[index] ?? 0, performance.now() - began)
    }
  }
  return fastest
}

/** Repeats the measurement while the ratio to the smallest size exceeds `allowed`. */
async function measureRepeatedly(requests: readonly (() => Promise<unknown>)[], allowed: number): Promise<number[]> {
  let times = await measure(requests)
  for (let repeat = 0; repeat < MAX_REPEATS && ratioOf(times) > allowed; repeat += 1) {
    const again = await measure(requests)
    times = times.map((time, index) => Math.min(time, again[index] ?? time))
  }
  return times
}

const ratioOf = (times: readonly number[]) => Math.max(...times) / (times[0] ?? 0)

/**
 * Prints the time of each case at each size and its ratio to the smallest size. Closes the databases. Returns whether
 * every ratio is within `allowed`.
 */
export async function compareSizes(
  name: string,
  cases: readonly BenchCase[],
  benches: readonly BenchDatabase[],
  allowed: number,
): Promise<boolean> {
  const count = new Intl.NumberFormat('en')
  console.log(`\n${name}: milliseconds for a page of 20 payments, the least of ${ROUNDS}`)
  for (const { rows, filled } of benches)
    console.log(`  ${count.format(rows)} payments were filled in ${(filled / 1_000).toFixed(1)} s`)
  console.log(
    `  ${''.padEnd(44)}${benches.map(({ rows }) => count.format(rows).padStart(11)).join('')}${'ratio'.padStart(9)}`,
  )
  let within = true
  for (const one of cases) {
    const requests = await Promise.all(benches.map(({ prepare }) => prepare(one)))
    const times = await (one.sorts ? measure(requests) : measureRepeatedly(requests, allowed))
    const ratio = ratioOf(times)
    const isAllowed = ratio <= allowed || one.sorts === true
    within &&= isAllowed
    const cells = times.map((time) => time.toFixed(2).padStart(11)).join('')
    console.log(
      `  ${one.name.padEnd(44)}${cells}${ratio.toFixed(2).padStart(9)}${isAllowed ? (one.sorts ? '  sorts' : '') : '  too much'}`,
    )
  }
  for (const { close } of benches) await close()
  return within
}

/*
 * `npm run bench:service`: measures pages of payments at 10,000 and 100,000 rows (and a million with --million), on PGlite
 * and on Postgres 15. Only ratios within a run are compared, because the machine may be busy.
 */

/** No page may take more than this many times as long as at 10,000 rows. */
const allowed = 3

const { values } = parseArgs({ options: { million: { type: 'boolean' }, only: { type: 'string' } } })
const sizes = values.million ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]
const cases = benchCases('2026-11-20')

async function runPglite(): Promise<boolean> {
  return compareSizes('PGlite', cases, await openAll(() => undefined), allowed)
}

async function openAll(addressOf: (rows: number) => string | undefined) {
  const benches = []
  for (const rows of sizes) benches.push(await openBenchDatabase(rows, addressOf(rows)))
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
