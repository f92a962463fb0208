import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { keepNemesisPart, readNemesisParts, sumKills } from './nemesis-page.mjs'
import { runTool } from './run-tool.mjs'

const wanted = 300

// Kills the desk again and again during mixed work. What came of it is kept in docs/nemesis.md, part by part:
// `--more` goes on with what is missing there, else it begins anew.
await runCommand(async () => {
  await ensureInstalled()
  const isMore = process.argv.includes('--more')
  const [kills = String(wanted), ...others] = process.argv.slice(2).filter((given) => given !== '--more')
  const parts = isMore ? readNemesisParts() : []
  const left = Math.max(0, Number(kills) - sumKills(parts))
  if (left === 0) return console.log(`${sumKills(parts)} of ${kills} kills are done: without --more it begins anew.`)
  const args = ['scripts/run/run-program.mjs', 'lib/server/testing/run-nemesis.ts', String(left), ...others]
  const { code, output, took } = await runTool(process.execPath, args, { echo: true })
  const result = output.split('RESULT ')[1]
  if (result) keepNemesisPart(parts, { ...JSON.parse(result), minutes: took / 60_000 }, Number(kills))
  process.exit(code)
})
