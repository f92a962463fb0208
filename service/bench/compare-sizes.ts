import type { BenchCase } from './bench-cases'
import type { Bench } from './open-bench'

const rounds = 31

/** The lower quartile: what it costs when nothing else gets in the way. */
function typical(times: number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? Number.NaN
}

/** Times each bench in turn, so that a busy moment of the machine falls on all of them. Answers milliseconds per bench. */
async function measure(requests: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times: number[][] = requests.map(() => [])
  for (let round = -3; round < rounds; round += 1) {
    for (const [index, request] of requests.entries()) {
      const began = performance.now()
      await request()
      if (round >= 0) times[index]?.push(performance.now() - began)
    }
  }
  return times.map(typical)
}

/**
 * Prints what each case costs at each size, and its ratio to the smallest. Closes the benches. Answers
 * whether every ratio stays within `allowed`.
 */
export async function compareSizes(
  name: string,
  cases: readonly BenchCase[],
  benches: readonly Bench[],
  allowed: number,
): Promise<boolean> {
  const count = new Intl.NumberFormat('en')
  console.log(`\n${name}: milliseconds for a page of 20 payments, lower quartile of ${rounds}`)
  for (const { rows, filled } of benches)
    console.log(`  ${count.format(rows)} payments were filled in ${(filled / 1_000).toFixed(1)} s`)
  console.log(
    `  ${''.padEnd(44)}${benches.map(({ rows }) => count.format(rows).padStart(11)).join('')}${'ratio'.padStart(9)}`,
  )
  let within = true
  for (const one of cases) {
    const times = await measure(await Promise.all(benches.map(({ prepare }) => prepare(one))))
    const ratio = Math.max(...times) / (times[0] ?? 0)
    within &&= ratio <= allowed
    const cells = times.map((time) => time.toFixed(2).padStart(11)).join('')
    console.log(`  ${one.name.padEnd(44)}${cells}${ratio.toFixed(2).padStart(9)}${ratio > allowed ? '  too much' : ''}`)
  }
  for (const { close } of benches) await close()
  return within
}
