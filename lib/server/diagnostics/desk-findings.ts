import { type CheckResult, type DiagnosticsReport, type Finding, summarise } from '@/lib/domain/diagnostics-report'

/** What was found about the dashboard's own deployment. The command line, where it is shown, is English. */
export class DeskFindings {
  readonly findings: Finding[] = []

  add(subject: string, result: CheckResult, detail: string): void {
    this.findings.push({ area: 'dashboard', subject, result, detail })
  }

  get result(): DiagnosticsReport['result'] {
    return summarise(this.findings)
  }
}

/** Clocks further apart than this show wrong times; sign-ins and codes of authenticator apps fail at half a minute. */
const NOTICED_MS = 5_000
const BROKEN_MS = 30_000

/**
 * Compares a clock with this machine's: `time` was read there between `sent` and `received`, and is exact to `precision`.
 * All in milliseconds.
 */
export function compareClocks(
  found: DeskFindings,
  subject: string,
  { time, sent, received, precision }: { time: number; sent: number; received: number; precision: number },
): void {
  const apart = Math.abs(time + precision / 2 - (sent + received) / 2)
  const certain = Math.max(0, apart - (received - sent) / 2 - precision / 2)
  const seconds = (apart / 1_000).toFixed(1)
  if (certain < NOTICED_MS) return found.add(subject, 'ok', `The clocks agree to ${seconds} s.`)
  const mend = 'Let both machines set their clocks by a time service (NTP).'
  found.add(subject, certain < BROKEN_MS ? 'warning' : 'failure', `The clocks are ${seconds} s apart. ${mend}`)
}
