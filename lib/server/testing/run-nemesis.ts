import { failpoints, NemesisLane, type NemesisReport } from './nemesis-lane'

/*
 * Kills the desk so many times during mixed work and prints what came of it, the last line as JSON. Arguments:
 * kills (300), minutes at most (20), lanes at once (2), seed (by the clock). It ends with 1 where something was violated.
 */

const [kills = 300, minutes = 20, lanes = 2, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)

/** mulberry32: the same seed brings the same orders, answers and moments. */
function makeRandom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const end = Date.now() + minutes * 60_000
let left = kills

async function runLane(number: number): Promise<NemesisReport> {
  const lane = await NemesisLane.start(makeRandom(seed + number))
  while (left > 0 && Date.now() < end) {
    left -= 1
    const failpoint = failpoints[left % failpoints.length]
    if (failpoint) await lane.kill(failpoint)
    if (left % 20 === 0) console.log(`${kills - left} of ${kills} kills`)
  }
  return lane.finish()
}

const reports = await Promise.all(Array.from({ length: lanes }, (_, number) => runLane(number)))
const sum = (key: 'payments' | 'bulkRows' | 'deletes' | 'cancelled' | 'told') =>
  reports.reduce((total, report) => total + report[key], 0)
const count = (name: string) => reports.reduce((total, report) => total + (report.kills.get(name) ?? 0), 0)
const violations = reports.flatMap((report) => report.violations)
const done = failpoints.reduce((total, [name]) => total + count(name), 0)

console.log(
  violations.length === 0
    ? `${done} of ${kills} kills, seed ${seed}: 0 lost, 0 doubled, 0 misreported`
    : `${violations.length} violations: ${[...new Set(violations)].join('; ')}`,
)
const result = {
  seed,
  desks: lanes,
  kills: failpoints.map(([name]) => [name, count(name)]),
  payments: sum('payments'),
  'in bulks': sum('bulkRows'),
  DELETEs: sum('deletes'),
  effective: sum('cancelled'),
  'times told': sum('told'),
  violations: [...new Set(violations)],
}
console.log(`RESULT ${JSON.stringify(result)}`)
process.exitCode = violations.length === 0 ? 0 : 1
