import type { ReactNode } from 'react'
import { listOmissions } from '@/lib/api-contract/record-fields'
import { truncate } from '@/lib/domain/text/visible-text'
import { CopyButton } from '../ui/copy-button'
import { LongText, UntrustedText } from '../ui/untrusted-text'
import * as m from '@/lib/messages/m'

export function FieldGroup({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-t border-line py-4">
      <h2 className="mb-2 text-[0.8125rem] font-semibold text-ink">
        {title} {note ? <span className="ml-1 font-normal text-ink-faint">{note}</span> : null}
      </h2>
      <dl className="grid gap-y-1.5">{children}</dl>
    </section>
  )
}

type FieldRowProps = {
  label: string
  /** The field's name in the API, such as `mandate.handle`. */
  field: string
  /** The raw text; "—" if missing. Children override how it is shown. */
  value?: string | null
  copyable?: boolean
  children?: ReactNode
}

/** One documented field with its label. */
export function FieldRow({ label, field, value, copyable, children }: FieldRowProps) {
  const look = copyable && (value?.length ?? 0) > 24 ? 'text-xs' : 'whitespace-pre-wrap'
  return (
    <div className="grid grid-cols-[7.25rem_minmax(0,1fr)] items-baseline gap-x-3" data-field={field}>
      <dt className="text-[0.8125rem] text-ink-soft" title={field}>
        <UntrustedText>{label}</UntrustedText>
      </dt>
      <dd className="flex min-w-0 items-center gap-1 wrap-anywhere text-ink">
        {value ? (
          <LongText label={label} text={value} className={look}>
            {children}
          </LongText>
        ) : (
          (children ?? '—')
        )}
        {copyable && value ? <CopyButton value={value} name={label.toLowerCase()} /> : null}
      </dd>
    </div>
  )
}

const MAX_FIELD_LENGTH = 200

const reasons = {
  'unsafe-key': m.leftOut_whyUnsafeKey,
  twice: m.leftOut_whyTwice,
  'too-deep': m.leftOut_whyTooDeep,
  'too-many-names': m.leftOut_whyTooManyNames,
  'too-long': m.leftOut_whyTooLong,
  'not-utf8': m.leftOut_whyNotUtf8,
  misshapen: m.leftOut_whyMisshapen,
}

/** Lists the parts of a record that the contract could not read, and why; nothing for an intact record. */
export function LeftOutNote({ record }: { record: object }) {
  const leftOut = listOmissions(record)
  if (leftOut.length === 0) return null
  return (
    <section
      aria-label={m.leftOut_partsWereLeftOut()}
      data-left-out=""
      className="mb-4 rounded-lg border border-caution/25 bg-caution-soft/60 p-4"
    >
      <h2 className="font-semibold">{m.leftOut_partsWereLeftOut()}</h2>
      <ul className="mt-2 grid gap-1">
        {leftOut.map(({ field, why }) => (
          <li key={`${field} ${why}`} className="wrap-anywhere">
            <span className="font-medium">
              {field === '' ? (
                m.leftOut_wholeRecord()
              ) : (
                <UntrustedText>{truncate(field, MAX_FIELD_LENGTH)}</UntrustedText>
              )}
            </span>
            : {reasons[why]()}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-[0.8125rem] text-ink-soft">{m.leftOut_theRestIsAsTheServiceSaid()}</p>
    </section>
  )
}
