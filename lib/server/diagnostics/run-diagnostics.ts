import { type Connection, makeConnection } from '../upstream/connection'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { log } from '../runtime/log'
import { parseSettings, type Settings, SettingsError } from '../runtime/settings'
import { checkDesk } from './check-desk'
import type { DeskFindings } from './desk-findings'
import { printFindings, printReport, runDiagnostics } from './diagnostics'

/*
 * The diagnostics as a command. Without --url it checks this dashboard's own settings and, if UPSTREAM_URL is set, the
 * provider; with --url a provider alone. The other UPSTREAM settings hold the credential; secrets come only from the
 * environment and its files, because everybody on the machine can read arguments. Exit code 0: the desk can work; 1: it
 * cannot; 2: wrong usage or settings.
 */

const usage = `Usage: npm run doctor -- [--url URL] [--json]
Without --url: checks this dashboard's settings, database, public address and mail server, and the provider at UPSTREAM_URL.
With --url: the provider there alone. The credential stands in UPSTREAM_AUTH, UPSTREAM_TOKEN and so on, as for the dashboard.`

function readArguments() {
  try {
    return readCommandLine(usage, { options: { url: { type: 'string' }, json: { type: 'boolean' } } }).values
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(2)
  }
}

/** The connection is null where no provider is named. */
function readSettings(url: string | undefined): { settings: Settings; connection: Connection | null } {
  try {
    const settings = parseSettings({ ...process.env, DEMO_SIGN_INS: undefined, ...(url && { UPSTREAM_URL: url }) })
    return { settings, connection: settings.UPSTREAM_URL ? makeConnection(settings) : null }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const lines = error.problems.map((problem) =>
      url && problem.startsWith('UPSTREAM_URL ')
        ? `${problem.replace('UPSTREAM_URL', '--url')}.`
        : `Setting ${problem}.`,
    )
    process.stderr.write(`${lines.join('\n')}\n`)
    return process.exit(2)
  }
}

const deskVerdicts = {
  ok: 'The dashboard is set up for production.',
  warning: 'Nothing keeps the dashboard from working. See the warnings.',
  failure: 'The dashboard is not ready: mend the failures first.',
}

function printDesk({ findings, result }: DeskFindings, { NEXTAUTH_URL }: Settings, width: number): string {
  return [`Dashboard ${NEXTAUTH_URL}`, '', ...printFindings(findings, width), '', deskVerdicts[result], ''].join('\n')
}

const { url, json } = readArguments()
const { settings, connection } = readSettings(url)
// Keeps log lines out of the report on standard output.
log.level = 'silent'
const desk = url === undefined ? await checkDesk(settings) : null
const report = connection ? await runDiagnostics(connection) : null
const width = process.stdout.columns || 120
const text = json
  ? `${JSON.stringify({ ...report, ...(desk && { desk: { result: desk.result, findings: desk.findings } }) }, null, 2)}\n`
  : [desk && printDesk(desk, settings, width), report && printReport(report, width)].filter(Boolean).join('\n')
const isFailure = [desk, report].some((one) => one?.result === 'failure')
process.stdout.write(text, () => process.exit(isFailure ? 1 : 0))
