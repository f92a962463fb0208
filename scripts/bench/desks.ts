import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, root, runTool } from '../support/command.mjs'
import { ensureBuilt } from '../support/ensure-built'
import { readPositive } from './options'

type Work = 'reads' | 'pages' | 'cancellations'
type Measured = { perSecond: number; median: number; slow: number; refused: number }
type Result = { desks: number } & Record<Work, Measured>

const kinds: [Work, string][] = [
  ['reads', 'pages of 50 payments as JSON, 16 at a time'],
  ['pages', 'the page of payments, 6 at a time'],
  ['cancellations', 'single cancellations, 8 at a time'],
]

const number = (value: number) => value.toFixed(value < 100 ? 1 : 0)

function writeReport(seconds: number, results: Result[]): string {
  const [first] = results
  if (!first) throw new CommandError('Nothing was measured.')
  const rows = kinds.flatMap(([kind, what]) =>
    results.map((result) => {
      const { perSecond, median, slow, refused } = result[kind]
      const ratio = (perSecond / first[kind].perSecond).toFixed(2)
      return `| ${what} | ${result.desks} | ${number(perSecond)} | ${ratio} | ${number(median)} | ${number(slow)} | ${refused} |`
    }),
  )
  return `# What several desks do together

Written by \`npm run bench:desks\`. 1, 2 and 4 desks in turn, behind nginx (\`docs/deploy/nginx.conf\`) without sticky sessions, on one Postgres 15 with the embedded service as the
provider, ${seconds} s of each kind of work. Ratios to one desk count, not the figures themselves.

${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} cores, which desks, nginx, Postgres, the service and the client share, Node ${process.versions.node}. One desk renders
and answers on one core; where all processes together have two, a second desk takes its time from the others. So this machine shows
what several desks cost beside each other, not what they gain on machines of their own; other programs may have run meanwhile. Cancellations are serialised by the activity log, whose
rows follow from each other: more desks make them no faster on any machine.

| work | desks | a second | ratio | median ms | 95 % ms | refused |
|---|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}
`
}

// Throughput of one, two and four desks on one Postgres, in one run.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    out: { type: 'string', default: 'docs/reports/several-desks.md' },
  },
})
const seconds = readPositive('seconds', values.seconds)
await ensureBuilt()
const results: Result[] = []
for (const desks of [1, 2, 4]) {
  const args = ['--import', 'tsx', 'e2e/bench/measure-desks.ts', String(desks), String(seconds)]
  const { output } = await runTool(process.execPath, args)
  const text = output.split('RESULT ')[1]
  if (!text) throw new CommandError(`${desks} desks could not be measured.`, output)
  const result: Result = JSON.parse(text.split('\n')[0] ?? '')
  results.push(result)
  console.log(JSON.stringify(result))
}
const report = writeReport(seconds, results)
writeFileSync(resolve(root, values.out), report)
console.log(`\n${report}\nWritten to ${values.out}.`)
process.exit(0)
