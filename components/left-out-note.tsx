import { listLeftOut } from '@/lib/contract/left-out'
import { shorten } from '@/lib/format/shorten'
import * as words from '@/lib/words/left-out'
import { Said } from './said'

const longestField = 200

/** Says of a record, as the contract read it, which parts of it could not be used, and why; nothing of a sound one. */
export function LeftOutNote({ record }: { record: object }) {
  const leftOut = listLeftOut(record)
  if (leftOut.length === 0) return null
  return (
    <section
      aria-label={words.partsWereLeftOut}
      data-left-out=""
      className="mb-4 rounded-lg border border-caution/25 bg-caution-soft/60 p-4"
    >
      <h2 className="font-semibold">{words.partsWereLeftOut}</h2>
      <ul className="mt-2 grid gap-1">
        {leftOut.map(({ field, why }) => (
          <li key={`${field} ${why}`} className="wrap-anywhere">
            <span className="font-medium">
              {field === '' ? words.wholeRecord : <Said>{shorten(field, longestField)}</Said>}
            </span>
            : {words.why[why]}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-[0.8125rem] text-ink-soft">{words.theRestIsAsTheServiceSaid}</p>
    </section>
  )
}
