import { FieldGroup, FieldRow } from '@/components/payments/field-list'

type ConnectionFactsProps = {
  service: string
  amounts: 'minor' | 'hundredths' | 'major'
  zone: string
  cancellable: readonly string[]
}

const units = {
  minor: 'Minor units of ISO 4217: 124500 DKK is 1,245.00',
  hundredths: 'Hundredths, whatever the currency: 124500 JPY is 1,245',
  major: 'Whole currency: 1245 DKK is 1,245.00',
}

/** How this desk reads the service, as it was set: what the interface itself leaves open. */
export function ConnectionFacts({ service, amounts, zone, cancellable }: ConnectionFactsProps) {
  return (
    <section
      aria-label="How this desk reads it"
      className="rounded-lg border border-line bg-surface px-5 pb-1 *:border-t-0 max-md:px-4"
    >
      <FieldGroup title="How this desk reads it" note="set by whoever runs it">
        <FieldRow label="Service" field="UPSTREAM_URL" value={service} />
        <FieldRow label="Amounts" field="UPSTREAM_AMOUNTS" value={units[amounts]} />
        <FieldRow label="Business dates" field="SCHEME_ZONE" value={zone} />
        <FieldRow
          label="Cancellable"
          field="UPSTREAM_CANCELLABLE"
          value={`Payments that are ${cancellable.join(', ')}`}
        />
      </FieldGroup>
    </section>
  )
}
