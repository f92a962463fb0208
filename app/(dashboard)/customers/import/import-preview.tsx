import { Badge } from '@/components/ui/badge'
import { mergeClasses } from '@/components/ui/merge-classes'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { customerFields } from '@/lib/api-contract/customer-fields'
import type { CustomerLine, CustomerMapping } from '@/lib/domain/customers/customer-csv'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import * as m from '@/lib/messages/m'

type ImportPreviewProps = {
  lines: readonly CustomerLine[]
  mapping: CustomerMapping
  /** The lines that would be skipped, of the whole file. */
  invalid: readonly { line: number }[]
}

/** The first lines with the fields that their columns are mapped to. */
export function ImportPreview({ lines, mapping, invalid }: ImportPreviewProps) {
  const skipped = new Set(invalid.map(({ line }) => line))
  const shown = customerFields.filter(({ name }) => mapping[name] !== undefined)
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-left">
        <caption className="px-4 pt-3 pb-1 text-left text-ink-soft">
          {/* The table may be wider than a phone. */}
          <span className="block max-w-[calc(100vw-4rem)]">
            <span className="font-medium text-ink">{m.customerImport_preview()}</span>{' '}
            {m.customerImport_previewOf({ count: lines.length })}
          </span>
        </caption>
        <thead className="text-[0.8125rem] text-ink-soft">
          <tr className="border-b border-line">
            <th scope="col" className="px-4 py-1.5 font-medium">
              {m.customerImport_headLine()}
            </th>
            {shown.map(({ name, label }) => (
              <th key={name} scope="col" className="px-4 py-1.5 font-medium whitespace-nowrap">
                {label()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, body }) => (
            <tr
              key={line}
              className={mergeClasses('border-b border-line last:border-0', skipped.has(line) && 'bg-caution-soft')}
            >
              <th scope="row" className="px-4 py-1.5 font-normal whitespace-nowrap tabular-nums">
                {line}{' '}
                {skipped.has(line) ? (
                  // The row has the tone's own tint.
                  <Badge tone="caution" className="bg-surface">
                    {m.customerImport_isSkipped()}
                  </Badge>
                ) : null}
              </th>
              {shown.map(({ name }) => (
                <td
                  key={name}
                  title={escapeInvisible(body[name] ?? '')}
                  className="px-4 py-1.5 [&>bdi]:line-clamp-3 [&>bdi]:w-max [&>bdi]:max-w-64 [&>bdi]:wrap-break-word"
                >
                  <UntrustedText>{body[name] ?? ''}</UntrustedText>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
