import type { Field } from './read-fields'

/** The fields of a record: name, type, and what there is to know. */
export function FieldsTable({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    // A focusable region, so that a keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-md text-left text-[0.8125rem]">
        <caption className="pb-1.5 text-left font-semibold">{caption}</caption>
        <thead className="text-ink-soft">
          <tr className="border-b border-line">
            <th scope="col" className="w-48 py-1.5 pr-4 font-medium">
              Field
            </th>
            <th scope="col" className="w-56 py-1.5 pr-4 font-medium">
              Type
            </th>
            <th scope="col" className="py-1.5 font-medium">
              Notes
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, isRequired, note }) => (
            <tr key={name} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-1.5 pr-4 font-medium wrap-anywhere">
                {name}
              </th>
              <td className="py-1.5 pr-4 wrap-anywhere">{type}</td>
              <td className="py-1.5 wrap-anywhere text-ink-soft">
                {[isRequired ? 'required' : '', note ?? ''].filter(Boolean).join('. ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
