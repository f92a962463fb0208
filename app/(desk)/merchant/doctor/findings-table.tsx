import { CircleCheck, CircleX, Info, Minus, TriangleAlert, type LucideIcon } from 'lucide-react'
import { Said } from '@/components/said'
import type { Finding, Result } from '@/lib/contract/doctor-report'
import * as words from '@/lib/words/doctor'

const faces: Record<Result, { icon: LucideIcon; word: string; tone: string }> = {
  ok: { icon: CircleCheck, word: 'Ok', tone: 'text-positive' },
  note: { icon: Info, word: words.note, tone: 'text-ink-soft' },
  warning: { icon: TriangleAlert, word: words.warning, tone: 'text-caution font-semibold' },
  failure: { icon: CircleX, word: words.failure, tone: 'text-negative font-semibold' },
  skipped: { icon: Minus, word: words.skipped, tone: 'text-ink-faint' },
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function Row({ finding: { area, subject, result, detail } }: { finding: Finding }) {
  const { icon: Icon, word, tone } = faces[result]
  return (
    <tr className="border-t border-line align-top max-md:block max-md:py-2.5" data-result={result}>
      <td className={`py-2 pr-4 pl-5 whitespace-nowrap max-md:block max-md:px-4 max-md:py-0 ${tone}`}>
        <Icon className="mr-1.5 inline-block size-4 align-[-0.2em]" />
        {word}
      </td>
      <th scope="row" className="py-2 pr-4 text-left font-medium max-md:block max-md:px-4 max-md:py-0.5">
        {capitalise(area)}: {subject}
      </th>
      <td className="py-2 pr-5 wrap-anywhere text-ink-soft max-md:block max-md:px-4 max-md:py-0">
        <Said>{detail}</Said>
      </td>
    </tr>
  )
}

/** What was found, check by check, in the order in which it was looked at. */
export function FindingsTable({ findings }: { findings: readonly Finding[] }) {
  return (
    <table className="w-full border-collapse max-md:block">
      <caption className="sr-only">{words.findingsLabel}</caption>
      <thead className="max-md:sr-only">
        <tr className="text-left text-[0.8125rem] text-ink-soft">
          <th scope="col" className="w-32 py-2 pr-4 pl-5 font-medium">
            {words.result}
          </th>
          <th scope="col" className="w-64 py-2 pr-4 font-medium">
            {words.check}
          </th>
          <th scope="col" className="py-2 pr-5 font-medium">
            {words.whatWasFound}
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {findings.map((finding, index) => (
          // Nothing but its place tells one finding from another.
          <Row key={index} finding={finding} />
        ))}
      </tbody>
    </table>
  )
}
