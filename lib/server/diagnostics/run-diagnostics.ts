import { parseArgs } from 'node:util'
import { makeConnection } from '../upstream/connection'
import { log } from '../runtime/log'
import { parseSettings, SettingsError } from '../runtime/settings'
import { printReport, runDiagnostics } from './diagnostics'

/*
 * The diagnostics as a command: `--url` (or UPSTREAM_URL) names the deployment, the other UPSTREAM settings the
 * credential; secrets come only from the environment, because everybody on the machine can read arguments. Exit code
 * 0: the desk can work with it; 1: it cannot; 2: wrong usage or settings.
 */

const usage = `Usage: npm run doctor -- --url URL [--json]
The credential stands in UPSTREAM_AUTH, UPSTREAM_TOKEN and so on, as for the desk.`

function refuse(message: string): never {
  process.stderr.write(`${message}\n${usage}\n`)
  process.exit(2)
}

function readArguments() {
  try {
    return parseArgs({
      options: { url: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : 'The arguments were not understood.')
  }
}

function readConnection(url: string | undefined) {
  try {
    const settings = parseSettings({ ...process.env, DEMO_SIGN_INS: undefined, ...(url && { UPSTREAM_URL: url }) })
    if (!settings.UPSTREAM_URL) return refuse('The address of a deployment is needed.')
    return makeConnection(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const lines = error.problems.map((problem) =>
      url && problem.startsWith('UPSTREAM_URL ')
        ? `${problem.replace('UPSTREAM_URL', '--url')}.`
        : `Setting ${problem}.`,
    )
    return refuse(lines.join('\n'))
  }
}

const { url, json, help } = readArguments()
if (help) {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}
const connection = readConnection(url)
// Keeps log lines out of the report on standard output.
log.level = 'silent'
const report = await runDiagnostics(connection)
const text = json ? `${JSON.stringify(report, null, 2)}\n` : printReport(report, process.stdout.columns || 120)
process.stdout.write(text, () => process.exit(report.result === 'failure' ? 1 : 0))
