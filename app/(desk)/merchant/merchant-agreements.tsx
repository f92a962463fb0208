import { Link } from '@/components/link'
import { StatusBadge } from '@/components/payments/status-badge'
import { TestBadge } from '@/components/payments/test-badge'
import { Said } from '@/components/said'
import { writePageAddress } from '@/lib/format/page-address'
import type { NamedAgreement } from '@/lib/server/agreements/find-named-agreements'
import * as words from '@/lib/words/merchant'

/** The agreements that the merchant record names, each leading to its page. */
export function MerchantAgreements({ agreements }: { agreements: readonly NamedAgreement[] }) {
  return (
    <section aria-labelledby="merchant-agreements" className="border-t border-line py-4">
      <h2 id="merchant-agreements" className="mb-2 text-[0.8125rem] font-semibold">
        {words.agreements}
      </h2>
      <ul className="grid gap-2">
        {agreements.map(({ agreementId, handle, scheme, status, test }, index) => {
          const page = writePageAddress('/agreements', agreementId)
          const name = <Said>{handle || agreementId}</Said>
          return (
            // Nothing keeps a service from naming one twice.
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
                  <Said>{scheme}</Said>
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
