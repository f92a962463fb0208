import { listUnforeseen } from '@/lib/format/list-unforeseen'
import * as words from '@/lib/words/record-sections'
import { DataTree } from './data-tree'

/** What a record holds for its scheme; of any shape. */
export function SchemeData({ value }: { value: unknown }) {
  return (
    <section className="border-t border-line py-4" data-field="schemeData">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{words.schemeData}</h2>
      {value === undefined || value === null ? (
        <p className="text-ink-soft">{words.serviceDidNotSayAny}</p>
      ) : (
        <DataTree value={value} />
      )}
    </section>
  )
}

/** What a service said beyond the fields that are `shown` by name; nothing where it said no more. */
export function FurtherFields({ record, shown }: { record: object; shown: readonly string[] }) {
  const further = listUnforeseen(record, shown)
  if (!further) return null
  return (
    <section className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold">{words.everythingElseTheServiceSaid}</h2>
      <DataTree value={further} />
    </section>
  )
}
