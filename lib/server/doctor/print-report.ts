import { doctorVerdicts, type Report, type Result } from '@/lib/contract/doctor-report'
import { printed } from '@/lib/words/doctor-findings'

const results: Record<Result, string> = printed.results

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
      const head = turn === 0 ? results[finding.result].padEnd(first) + (subjects[index] ?? '').padEnd(second) : ''
      return `${head.padEnd(first + second)}${line}`
    }),
  )
  const took = printed.took(reads, (milliseconds / 1_000).toFixed(1))
  return [printed.deployment(url), '', ...rows, '', took, doctorVerdicts[result], ''].join('\n')
}
