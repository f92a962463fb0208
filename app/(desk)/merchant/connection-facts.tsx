import { FieldGroup, FieldRow } from '@/components/payments/field-list'
import * as words from '@/lib/words/merchant'

type ConnectionFactsProps = {
  service: string
  amounts: 'minor' | 'hundredths' | 'major'
  zone: string
  cancellable: readonly string[]
}

const units = {
  minor: words.minorUnitsOfIsoDkk,
  hundredths: words.hundredthsWhateverTheCurrencyJpy,
  major: words.wholeCurrencyDkkIs,
}

/** How this desk reads the service, as it was set: what the interface itself leaves open. */
export function ConnectionFacts({ service, amounts, zone, cancellable }: ConnectionFactsProps) {
  return (
    <section
      aria-label={words.howThisDeskReadsIt}
      className="rounded-lg border border-line bg-surface px-5 pb-1 [&>section]:border-t-0 max-md:px-4"
    >
      <FieldGroup title={words.howThisDeskReadsIt} note={words.setByWhoeverRunsIt}>
        <FieldRow label={words.service} field="UPSTREAM_URL" value={service} />
        <FieldRow label={words.amounts} field="UPSTREAM_AMOUNTS" value={units[amounts]} />
        <FieldRow label={words.businessDates} field="SCHEME_ZONE" value={zone} />
        <FieldRow
          label={words.cancellable}
          field="UPSTREAM_CANCELLABLE"
          value={words.paymentsThatAre(cancellable.join(', '))}
        />
      </FieldGroup>
    </section>
  )
}
