import { joinList } from '@/lib/language/join-list'
import { Link } from '@/components/layout/link'
import { SchemeName, TestBadge } from '@/components/payments/badges'
import { StatusBadge } from '@/components/payments/status-badge'
import { DataTree } from '@/components/records/data-tree'
import { Timestamp } from '@/components/records/dates'
import { FieldGroup, FieldRow, LeftOutNote } from '@/components/records/field-list'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { isOmissionsField, normalizeFieldNames } from '@/lib/api-contract/record-fields'
import { buildPagePath } from '@/lib/domain/page-address'
import { describeState } from '@/lib/domain/states'
import { findNamedAgreements, type NamedAgreement } from '@/lib/server/agreements/named-agreements'
import * as m from '@/lib/messages/m'

type ConnectionSummaryProps = {
  service: string
  amounts: 'minor' | 'hundredths' | 'major'
  zone: string
  cancellable: readonly string[]
  /** Whether it was connected here; else the settings describe it. */
  isConnected: boolean
  mayEdit: boolean
}

const units = {
  minor: m.merchant_minorUnitsOfIsoDkk,
  hundredths: m.merchant_hundredthsWhateverTheCurrencyJpy,
  major: m.merchant_wholeCurrencyDkkIs,
}

/** The configured interpretation of what the API leaves open. */
export function ConnectionSummary(props: ConnectionSummaryProps) {
  const { service, amounts, zone, cancellable, isConnected, mayEdit } = props
  const note = isConnected ? m.merchant_setInItsConnection() : m.merchant_setByWhoeverRunsIt()
  return (
    <section
      aria-label={m.merchant_howThisDeskReadsIt()}
      className="rounded-lg border border-line bg-surface px-5 pb-1 [&>section]:border-t-0 max-md:px-4"
    >
      <FieldGroup
        title={m.merchant_howThisDeskReadsIt()}
        note={
          isConnected && mayEdit ? (
            <Link href="/merchants/edit" className="underline">
              {note}
            </Link>
          ) : (
            note
          )
        }
      >
        <FieldRow label={m.merchant_service()} field="UPSTREAM_URL" value={service} />
        <FieldRow label={m.merchant_amounts()} field="UPSTREAM_AMOUNTS" value={units[amounts]()} />
        <FieldRow label={m.merchant_businessDates()} field="SCHEME_ZONE" value={zone} />
        <FieldRow
          label={m.merchant_cancellable()}
          field="UPSTREAM_CANCELLABLE"
          value={m.merchant_paymentsThatAre({ states: joinList(cancellable.map(describeState), 'disjunction') })}
        />
      </FieldGroup>
    </section>
  )
}

/** The agreements in the merchant record, with links. */
export function MerchantAgreements({ agreements }: { agreements: readonly NamedAgreement[] }) {
  return (
    <section aria-labelledby="merchant-agreements" className="border-t border-line py-4">
      <h2 id="merchant-agreements" className="mb-2 text-[0.8125rem] font-semibold">
        {m.merchant_agreements()}
      </h2>
      <ul className="grid gap-2">
        {agreements.map(({ agreementId, handle, scheme, status, test }, index) => {
          const page = buildPagePath('/agreements', agreementId)
          const name = <UntrustedText>{handle || agreementId}</UntrustedText>
          return (
            // The API may repeat an agreement.
            <li
              key={`${index} ${agreementId}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:border-t max-md:border-line max-md:pt-2 max-md:first:border-0 max-md:first:pt-0"
            >
              {page ? (
                <Link href={page} className="inline-block min-w-0 leading-6 text-accent-ink underline max-md:py-2.5">
                  {name}
                </Link>
              ) : (
                name
              )}
              {scheme ? (
                <span className="text-ink-soft">
                  <SchemeName code={scheme} />
                </span>
              ) : null}
              {status ? <StatusBadge status={status} /> : null}
              {test === true ? <TestBadge test /> : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const SHOWN_FIELDS = ['id', 'name', 'handle', 'isvHandle', 'metaData', 'createdAt', 'modifiedAt']

function parseText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** A field that the record may or may not have: its fields are not documented. */
function Field({ record, name, label }: { record: Record<string, unknown>; name: string; label: string }) {
  if (!(name in record)) return null
  const text = parseText(record[name])
  return <FieldRow label={label} field={name} value={text} copyable={name !== 'name'} />
}

/** The raw merchant record: the documented input fields, metaData as a tree, and all other fields. */
export function MerchantRecord({ record: told }: { record: object }) {
  const spelled = Object.entries(normalizeFieldNames(told, SHOWN_FIELDS)).filter(([name]) => !isOmissionsField(name))
  const record: Record<string, unknown> = Object.fromEntries(spelled)
  const others = Object.entries(record).filter(([name]) => !SHOWN_FIELDS.includes(name))
  if (others.length === Object.keys(record).length) {
    return (
      <section aria-label={m.merchant_record()} className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
        <LeftOutNote record={told} />
        <h2 className="mb-2 font-semibold">{m.merchant_whatTheServiceSaid()}</h2>
        <DataTree value={record} />
      </section>
    )
  }
  const agreements = findNamedAgreements(record)
  const further = agreements.length > 0 ? others.filter(([name]) => name.toLowerCase() !== 'agreements') : others
  return (
    <section
      aria-label={m.merchant_record()}
      className="@container rounded-lg [&_time]:whitespace-normal border border-line bg-surface px-5 pb-1 max-md:px-4"
    >
      <div className="pt-4 empty:hidden">
        <LeftOutNote record={told} />
      </div>
      <div className="grid gap-x-12 [&>section:first-child]:border-t-0 @3xl:grid-cols-2 @3xl:[&>section]:border-t-0">
        <FieldGroup title={m.merchant_record()}>
          <Field record={record} name="name" label={m.merchant_name()} />
          <Field record={record} name="handle" label={m.merchant_handle()} />
          <Field record={record} name="isvHandle" label={m.merchant_isvHandle()} />
          <Field record={record} name="id" label={m.merchant_merchantId()} />
          {'createdAt' in record ? (
            <FieldRow label={m.merchant_created()} field="createdAt">
              <Timestamp value={parseText(record.createdAt)} />
            </FieldRow>
          ) : null}
          {'modifiedAt' in record ? (
            <FieldRow label={m.merchant_modified()} field="modifiedAt">
              <Timestamp value={parseText(record.modifiedAt)} />
            </FieldRow>
          ) : null}
        </FieldGroup>
        <section className="border-t border-line py-4" data-field="metaData">
          <h2 className="mb-2 text-[0.8125rem] font-semibold">{m.merchant_additionalData()}</h2>
          {'metaData' in record ? (
            <DataTree value={record.metaData} />
          ) : (
            <p className="text-ink-soft">{m.merchant_serviceSaidNone()}</p>
          )}
        </section>
      </div>
      {agreements.length > 0 ? <MerchantAgreements agreements={agreements} /> : null}
      {further.length > 0 ? (
        <section className="border-t border-line py-4">
          <h2 className="mb-2 text-[0.8125rem] font-semibold">{m.merchant_everythingElseTheServiceSaid()}</h2>
          <DataTree value={Object.fromEntries(further)} />
        </section>
      ) : null}
    </section>
  )
}
