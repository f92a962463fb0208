import { runTool } from '../support/command.mjs'
import { writeReportSections } from '../support/report-sections'

const heading =
  '# What pages of the embedded service cost\n\nWritten by `npm run bench:service`; `-- --million` adds a million rows, `-- --only pglite` takes one database. Ratios of one run count, not milliseconds: the machine may have been busy.'

/** The tables of a run by database. */
function readTables(output: string): Map<string, string> {
  const parts = output.split(/^(?=(?:PGlite|Postgres \d+): )/mu).filter((part) => /^(?:PGlite|Postgres)/u.test(part))
  const day = new Date().toISOString().slice(0, 10)
  return new Map(parts.map((part) => [part.split(':', 1)[0] ?? '', `On ${day}.\n\n\`\`\`\n${part.trimEnd()}\n\`\`\``]))
}

// Measures pages of the embedded service by its size, and writes the tables to docs/reports/service-bench.md.
const args = ['scripts/run-program.mjs', 'service/bench/bench-service.ts', ...process.argv.slice(2)]
const { code, output } = await runTool(process.execPath, args, { echo: true })
writeReportSections('docs/reports/service-bench.md', heading, readTables(output))
process.exit(code)
