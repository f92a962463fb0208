import { killNames, makeRandom, NemesisLane, type NemesisReport } from './nemesis-lane'

/*
 * Kills desks during mixed work and prints the result, the last line as JSON. Arguments: number of kills (300), maximum
 * minutes (30), desks on one Postgres (2; 1: a single desk on its own folder), seed (from the clock), and number of such
 * stores in parallel (2). Exits with 1 after a violation.
 */

const given = process.argv.slice(2).map(Number)
const [kills = 300, minutes = 30, desks = 2, seed = Date.now() % 1_000_000, stores = 2] = given

// Postgres runs as another user, which must be able to read its files.
process.umask(0o022)
const end = Date.now() + minutes * 60_000
let done = 0

async function runLane(lane: NemesisLane): Promise<NemesisReport> {
  while (done < kills && Date.now() < end) {
    const before = lane.kills
    await lane.killOnce()
    const earlier = done
    done += lane.kills - before
    if (Math.floor(earlier / 20) < Math.floor(done / 20)) console.log(`${done} of ${kills} kills`)
  }
  return lane.finish()
}

// One after the other: two Postgres of one process cannot be created concurrently.
const lanes: NemesisLane[] = []
while (lanes.length < stores) lanes.push(await NemesisLane.start(desks, makeRandom(seed + lanes.length)))
const reports = await Promise.all(lanes.map(runLane))
const sum = (key: 'payments' | 'bulkRows' | 'deletes' | 'cancelled' | 'told' | 'leftToPeople') =>
  reports.reduce((total, report) => total + report[key], 0)
const count = (which: 'kills' | 'faults', name: string) =>
  reports.reduce((total, report) => total + (report[which].get(name) ?? 0), 0)
const violations = reports.flatMap((report) => report.violations)
const faults = [...new Set(reports.flatMap((report) => [...report.faults.keys()]))]

console.log(
  violations.length === 0
    ? `${done} of ${kills} kills, seed ${seed}: 0 lost, 0 doubled, 0 misreported, 0 of the wrong payment`
    : `${violations.length} violations: ${[...new Set(violations)].join('; ')}`,
)
const result = {
  seed,
  stores,
  'desks on each': desks,
  kills: killNames.map((name) => [name, count('kills', name)]),
  faults: faults.map((name) => [name, count('faults', name)]),
  payments: sum('payments'),
  'in bulks': sum('bulkRows'),
  DELETEs: sum('deletes'),
  effective: sum('cancelled'),
  'times told': sum('told'),
  'left to people': sum('leftToPeople'),
  's to the end': Math.round(Math.max(...reports.map(({ settledIn }) => settledIn)) / 1_000),
  violations: [...new Set(violations)],
}
console.log(`RESULT ${JSON.stringify(result)}`)
process.exitCode = violations.length === 0 ? 0 : 1
