import { doctorVerdicts, type Report, type Result } from '@/lib/contract/doctor-report'
import { countThings } from './count-things'

const words: Record<Result, string> = {
  ok: 'ok',
  note: 'note',
  warning: 'WARNING',
  failure: 'FAILURE',
  skipped: 'skipped',
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

/** The report as a table of lines at most `width` wide, each check on its own, and the verdict last. */
export function printReport({ url, findings, reads, milliseconds, result }: Report, width: number): string {
  const subjects = findings.map(({ area, subject }) => `${area}: ${subject}`)
  const [first, second] = [9, Math.max(0, ...subjects.map(({ length }) => length)) + 2]
  const room = Math.max(30, width - first - second)
  const rows = findings.flatMap((finding, index) =>
    wrap(finding.detail, room).map((line, turn) => {
      const head = turn === 0 ? words[finding.result].padEnd(first) + (subjects[index] ?? '').padEnd(second) : ''
      return `${head.padEnd(first + second)}${line}`
    }),
  )
  const took = `${countThings(reads, 'read')} in ${(milliseconds / 1_000).toFixed(1)} s.`
  return [`Deployment ${url}`, '', ...rows, '', took, doctorVerdicts[result], ''].join('\n')
}
