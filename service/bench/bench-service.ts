import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { type BenchCase, benchCases, type BenchDatabase, openBenchDatabase } from './bench-database'

const rounds = 31
/** A page that takes seconds is not measured for many minutes: a few rounds tell as much. */
const longest = 30_000
const fewest = 3
/** How often a page that seems to cost too much is measured again: a busy machine only ever adds to what it costs. */
const mostRepeats = 3

/** Times each bench in turn, so that a busy moment of the machine falls on all of them. Answers the least of each, in milliseconds. */
async function measure(requests: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const least = requests.map(() => Number.POSITIVE_INFINITY)
  const started = performance.now()
  for (let round = -3; round < rounds; round += 1) {
    if (round >= fewest && performance.now() - started > longest) break
    for (const [index, request] of requests.entries()) {
      const began = performance.now()
      await request()
      if (round >= 0) least[index] = Math.min(least[index] ?? 0, performance.now() - began)
    }
  }
  return least
}

/** Measures, and again while the ratio to the smallest exceeds `allowed`. */
async function measurePatiently(requests: readonly (() => Promise<unknown>)[], allowed: number): Promise<number[]> {
  let times = await measure(requests)
  for (let repeat = 0; repeat < mostRepeats && ratioOf(times) > allowed; repeat += 1) {
    const again = await measure(requests)
    times = times.map((time, index) => Math.min(time, again[index] ?? time))
  }
  return times
}

const ratioOf = (times: readonly number[]) => Math.max(...times) / (times[0] ?? 0)

/**
 * Prints what each case costs at each size, and its ratio to the smallest. Closes the benches. Answers
 * whether every ratio stays within `allowed`.
 */
export async function compareSizes(
  name: string,
  cases: readonly BenchCase[],
  benches: readonly BenchDatabase[],
  allowed: number,
): Promise<boolean> {
  const count = new Intl.NumberFormat('en')
  console.log(`\n${name}: milliseconds for a page of 20 payments, the least of ${rounds}`)
  for (const { rows, filled } of benches)
    console.log(`  ${count.format(rows)} payments were filled in ${(filled / 1_000).toFixed(1)} s`)
  console.log(
    `  ${''.padEnd(44)}${benches.map(({ rows }) => count.format(rows).padStart(11)).join('')}${'ratio'.padStart(9)}`,
  )
  let within = true
  for (const one of cases) {
    const requests = await Promise.all(benches.map(({ prepare }) => prepare(one)))
    const times = await (one.sorts ? measure(requests) : measurePatiently(requests, allowed))
    const ratio = ratioOf(times)
    const bearable = ratio <= allowed || one.sorts === true
    within &&= bearable
    const cells = times.map((time) => time.toFixed(2).padStart(11)).join('')
    console.log(
      `  ${one.name.padEnd(44)}${cells}${ratio.toFixed(2).padStart(9)}${bearable ? (one.sorts ? '  sorts' : '') : '  too much'}`,
    )
  }
  for (const { close } of benches) await close()
  return within
}

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
