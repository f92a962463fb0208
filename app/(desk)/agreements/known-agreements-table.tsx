'use client'

import { Inbox } from 'lucide-react'
import Link from 'next/link'
import { StatusBadge } from '@/components/payments/status-badge'
import { TestBadge } from '@/components/payments/test-badge'
import { Timestamp } from '@/components/timestamp'
import type { KnownAgreement } from '@/lib/contract/known-agreement'
import { writePageAddress } from '@/lib/format/page-address'

function explainSource({ source, rememberedBy }: KnownAgreement): string {
  if (source === 'merchant') return 'Named in the merchant record'
  return source === 'made' ? `Created by ${rememberedBy}` : `Opened by ${rememberedBy}`
}

const cell = 'px-3 py-2.5 text-left align-middle first:pl-4 last:pr-4'

/** The agreements that the desk knows of, oldest first. */
export function KnownAgreementsTable({ agreements }: { agreements: readonly KnownAgreement[] }) {
  if (agreements.length === 0) {
    return (
      <div className="flex flex-col items-center rounded-lg border border-line bg-surface px-6 py-12 text-center">
        <Inbox aria-hidden="true" className="size-8 text-ink-faint" strokeWidth={1.5} />
        <p className="mt-3 text-base font-semibold">No agreement is known yet</p>
        <p className="mt-1 text-ink-soft">Create one, or open one by its id or handle.</p>
      </div>
    )
  }
  return (
    <section
      aria-label="Known agreements"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys where it is wider than the screen
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full">
        <thead className="border-b border-line bg-sunken text-[0.8125rem] text-ink-soft">
          <tr>
            {['Handle', 'Scheme', 'State', 'Mode', 'Known because', 'Read'].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium whitespace-nowrap`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {agreements.map((one) => {
            const page = writePageAddress('/agreements', one.agreementId)
            const name = one.handle || one.agreementId
            return (
              <tr key={one.agreementId} data-row-id={one.agreementId} data-status={one.status ?? undefined}>
                <th scope="row" className={`${cell} min-w-48 font-medium wrap-anywhere`}>
                  {page ? (
                    <Link href={page} prefetch={false} className="text-accent-ink hover:underline">
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                </th>
                <td className={cell}>{one.scheme || '—'}</td>
                <td className={cell}>
                  <StatusBadge status={one.status} />
                </td>
                <td className={cell}>{one.test === false ? 'Live' : <TestBadge test={one.test} />}</td>
                <td className={`${cell} text-ink-soft`}>{explainSource(one)}</td>
                <td className={cell}>
                  <Timestamp value={one.readAt} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
