'use client'

import { SearchX } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { CallError } from '@/lib/client/api-client'
import { toProblemInfo } from './problem-display'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import { PageHeader } from '../layout/page-header'
import { ProblemNotice } from './problem-notice'
import * as m from '@/lib/messages/m'

const titles = { Customer: m.customer_customer, Mandate: m.mandate_mandateLabel, Agreement: m.agreement_agreementLabel }

type RecordErrorProps = {
  /** The record's type, and the id or handle. */
  kind: keyof typeof titles
  idOrHandle: string
  failure: SerializedFailure
}

/** A record's page without its record: not found, rejected or unreachable. */
export function RecordError({ kind, idOrHandle, failure }: RecordErrorProps) {
  const router = useRouter()
  const { code } = failure
  const isMissing = code === 'not-found' || code === 'bad-request'
  return (
    <>
      <PageHeader title={titles[kind]()} about={<bdi className="wrap-anywhere">{idOrHandle}</bdi>} />
      {isMissing ? (
        <output className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
          <SearchX strokeWidth={1.5} className="size-8 text-ink-faint" />
          <span className="mt-3 text-base font-semibold">{m.problems_noSuch({ kind: kind.toLowerCase() })}</span>
          <span className="mt-1 text-ink-soft">
            {code === 'bad-request'
              ? m.problems_thisCannotBeAnId()
              : m.problems_serviceHasNo({ kind: kind.toLowerCase() })}
          </span>
        </output>
      ) : (
        <ProblemNotice problem={toProblemInfo(CallError.of(failure))} onRetry={() => router.refresh()} layout="page" />
      )}
    </>
  )
}
