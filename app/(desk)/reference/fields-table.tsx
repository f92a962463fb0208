import type { Field } from './read-fields'
import * as words from '@/lib/words/reference'

/** The fields of a record: name, type, and what there is to know. */
export function FieldsTable({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    // A focusable region, so that a keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-[0.8125rem] md:min-w-md">
        <caption className="pb-1.5 text-left font-semibold">{caption}</caption>
        <thead className="text-ink-soft max-md:sr-only">
          <tr className="border-b border-line">
            <th scope="col" className="w-48 py-1.5 pr-4 font-medium">
              {words.field}
            </th>
            <th scope="col" className="w-56 py-1.5 pr-4 font-medium">
              {words.type}
            </th>
            <th scope="col" className="py-1.5 font-medium">
              {words.notes}
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, isRequired, note }) => (
            <tr
              key={name}
              className="border-b border-line align-top last:border-0 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:py-1.5"
            >
              <th scope="row" className="py-1.5 pr-4 font-medium wrap-anywhere max-md:py-0">
                {name}
              </th>
              <td className="py-1.5 pr-4 wrap-anywhere max-md:py-0 max-md:pr-0">{type}</td>
              <td className="py-1.5 wrap-anywhere text-ink-soft max-md:col-span-2 max-md:py-0 empty:hidden">
                {[isRequired ? 'required' : '', note ?? ''].filter(Boolean).join('. ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
