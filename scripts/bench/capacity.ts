import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Level } from '@/e2e/bench/measure-capacity'
import { CommandError, root, runTool } from '../support/command.mjs'
import { ensureBuilt } from '../support/ensure-built'

type Result = { levels: Level[]; growthMb: number; failures: [string, number][] }

function writeReport({ levels, growthMb, failures }: Result, seconds: string): string {
  const rows = levels.map(
    (level) =>
      `| ${level.people} | ${level.perSecond.toFixed(1)} | ${level.median.toFixed(0)} | ${level.slow.toFixed(0)} | ${level.cores.toFixed(2)} | ${level.memoryMb.toFixed(0)} | ${level.connections} | ${level.failed} |`,
  )
  const steps = levels.map(
    ({ people, slowSteps }) => `- ${people}: ${slowSteps.map(([name, slow]) => `${name} ${slow}`).join(', ')}`,
  )
  const refused = failures.map(([what, count]) => `\n- ${what}: ${count}`).join('')
  return `# What one desk carries

Written by \`npm run bench:capacity\`; what it means stands in [capacity](../capacity.md). One desk behind nginx with its store on Postgres 15. Each person has a
session, an address and an event stream of their own (of 20 accounts), and does one thing after the other with 5 s to think between: opens the page of
payments, scrolls, filters twice, looks at mandates, customers, the overview, a payment and its cancellation, and cancels one payment in ten steps. What
open pages read again because of events isn't among the steps ([open pages](live.md)).

${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} cores, which the desk, nginx, Postgres, the embedded service as the provider and the people share, Node
${process.versions.node}, ${seconds} s for each row.

| people at work | steps a second | median ms | 95 % ms | cores used by the desk | memory of the desk, MB | connections to Postgres | failed |
|---:|---:|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}

95 % of each step, slowest first, in ms:

${steps.join('\n')}

10,000 cancellations let the store grow by ${growthMb.toFixed(0)} MB, with the activity log and all indexes (counted up from 1,000).
${refused}`
}

// How many people at work one desk carries: several numbers of them in one run.
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '25,50,100,150,200' },
    seconds: { type: 'string', default: '45' },
    out: { type: 'string', default: 'docs/reports/capacity.md' },
  },
})
await ensureBuilt()
const args = ['--import', 'tsx', 'e2e/bench/measure-capacity.ts', values.people, values.seconds]
const { output } = await runTool(process.execPath, args, { echo: true })
const text = output.split('RESULT ')[1]
if (!text) throw new CommandError('The capacity could not be measured.', output)
const result: Result = JSON.parse(text.split('\n')[0] ?? '')
writeFileSync(resolve(root, values.out), writeReport(result, values.seconds))
console.log(`Written to ${values.out}.`)
process.exit(0)
