import { runCommand } from './command-failure.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { countKeptKills, keepNemesisPart } from './nemesis-page.mjs'
import { runTool } from './run-tool.mjs'

// Kills desks again and again during mixed work. What came of it is kept in docs/reports/nemesis.md: `--more` goes on with
// what is missing there of so many desks on one store, else it begins anew.
await runCommand(async () => {
  await ensureInstalled()
  const isMore = process.argv.includes('--more')
  const given = process.argv.slice(2).filter((argument) => argument !== '--more')
  const [kills = '300', minutes = '30', desks = '2', ...others] = given
  const kept = isMore ? countKeptKills(Number(desks)) : 0
  const left = Math.max(0, Number(kills) - kept)
  if (left === 0) return console.log(`${kept} of ${kills} kills are done: without --more it begins anew.`)
  const program = ['scripts/run/run-program.mjs', 'lib/server/testing/run-nemesis.ts']
  const args = [...program, String(left), minutes, desks, ...others]
  const { code, output, took } = await runTool(process.execPath, args, { echo: true })
  const result = output.split('RESULT ')[1]
  if (result) keepNemesisPart({ ...JSON.parse(result), minutes: took / 60_000 }, { isMore })
  process.exit(code)
})
