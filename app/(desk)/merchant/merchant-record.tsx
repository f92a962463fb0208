import { DataTree } from '@/components/data-tree'
import { LeftOutNote } from '@/components/left-out-note'
import { FieldGroup, FieldRow } from '@/components/payments/field-list'
import { Timestamp } from '@/components/timestamp'
import { findNamedAgreements } from '@/lib/server/agreements/find-named-agreements'
import { MerchantAgreements } from './merchant-agreements'
import { isLeftOutField } from '@/lib/contract/left-out'
import { spellFields } from '@/lib/contract/spell-fields'
import * as words from '@/lib/words/merchant'

const shown = ['id', 'name', 'handle', 'isvHandle', 'metaData', 'createdAt', 'modifiedAt']

function readText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** A field that the record may or may not have: its fields are not documented. */
function Field({ record, name, label }: { record: Record<string, unknown>; name: string; label: string }) {
  if (!(name in record)) return null
  const text = readText(record[name])
  return <FieldRow label={label} field={name} value={text} copyable={name !== 'name'} />
}

/** The merchant record as it came: the fields that the input has, metaData as a tree, and whatever else was said. */
export function MerchantRecord({ record: told }: { record: object }) {
  const spelled = Object.entries(spellFields(told, shown)).filter(([name]) => !isLeftOutField(name))
  const record: Record<string, unknown> = Object.fromEntries(spelled)
  const others = Object.entries(record).filter(([name]) => !shown.includes(name))
  if (others.length === Object.keys(record).length) {
    return (
      <section aria-label={words.record} className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
        <LeftOutNote record={told} />
        <h2 className="mb-2 font-semibold">{words.whatTheServiceSaid}</h2>
        <DataTree value={record} />
      </section>
    )
  }
  const agreements = findNamedAgreements(record)
  const further = agreements.length > 0 ? others.filter(([name]) => name.toLowerCase() !== 'agreements') : others
  return (
    <section
      aria-label={words.record}
      className="@container rounded-lg [&_time]:whitespace-normal border border-line bg-surface px-5 pb-1 max-md:px-4"
    >
      <div className="pt-4 empty:hidden">
        <LeftOutNote record={told} />
      </div>
      <div className="grid gap-x-12 [&>section:first-child]:border-t-0 @3xl:grid-cols-2 @3xl:[&>section]:border-t-0">
        <FieldGroup title={words.record}>
          <Field record={record} name="name" label={words.name} />
          <Field record={record} name="handle" label={words.handle} />
          <Field record={record} name="isvHandle" label={words.isvHandle} />
          <Field record={record} name="id" label={words.merchantId} />
          {'createdAt' in record ? (
            <FieldRow label={words.created} field="createdAt">
              <Timestamp value={readText(record.createdAt)} />
            </FieldRow>
          ) : null}
          {'modifiedAt' in record ? (
            <FieldRow label={words.modified} field="modifiedAt">
              <Timestamp value={readText(record.modifiedAt)} />
            </FieldRow>
          ) : null}
        </FieldGroup>
        <section className="border-t border-line py-4" data-field="metaData">
          <h2 className="mb-2 text-[0.8125rem] font-semibold">{words.additionalData}</h2>
          {'metaData' in record ? (
            <DataTree value={record.metaData} />
          ) : (
            <p className="text-ink-soft">{words.serviceSaidNone}</p>
          )}
        </section>
      </div>
      {agreements.length > 0 ? <MerchantAgreements agreements={agreements} /> : null}
      {further.length > 0 ? (
        <section className="border-t border-line py-4">
          <h2 className="mb-2 text-[0.8125rem] font-semibold">{words.everythingElseTheServiceSaid}</h2>
          <DataTree value={Object.fromEntries(further)} />
        </section>
      ) : null}
    </section>
  )
}
