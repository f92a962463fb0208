'use client'

import { useId } from 'react'
import { Link } from '@/components/layout/link'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import type { DoubtfulLine, ImportCandidate, LineDecision } from '@/lib/domain/customers/customer-import'
import { buildPagePath } from '@/lib/domain/page-address'
import { describeDoubt, describeFailure } from '@/lib/domain/customers/describe-import'
import * as m from '@/lib/messages/m'

type Deciding = {
  decide: (decision: LineDecision) => void
  /** Why nothing can be decided now. */
  reason: string | null
}

function Candidate({ line, candidate, decide, reason }: Deciding & { line: number; candidate: ImportCandidate }) {
  const { id, handle, name, number, createdAt } = candidate
  const page = buildPagePath('/customers', id)
  const title = <UntrustedText>{name || handle || id}</UntrustedText>
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {page ? (
          <Link href={page} className="font-medium text-accent-ink underline">
            {title}
          </Link>
        ) : (
          title
        )}{' '}
        <span className="text-ink-soft">
          {number ? <UntrustedText>{`${number} `}</UntrustedText> : null}
          {m.customerImport_createdAt()} <Timestamp value={createdAt} />
        </span>
      </span>
      <Button
        size="small"
        aria-label={m.customerImport_takeCandidateForLine({ line, customer: name || handle || id })}
        reason={reason}
        onClick={() => decide({ line, decision: 'created', customerId: id })}
      >
        {m.customerImport_takeCandidate()}
      </Button>
    </li>
  )
}

function Doubt({ doubt, decide, reason }: Deciding & { doubt: DoubtfulLine }) {
  const { line, name, number, sentAt, failure, message, heldFor, candidates } = doubt
  const label = useId()
  return (
    <li aria-labelledby={label} className="grid gap-2 border-t border-line px-4 py-3 first:border-t-0">
      <h3 id={label} className="font-medium wrap-anywhere">
        {m.customerImport_line({ line })} <UntrustedText>{name}</UntrustedText>
        {number ? (
          <>
            , <UntrustedText>{number}</UntrustedText>
          </>
        ) : null}
      </h3>
      <p>
        {failure === 'restored' ? null : sentAt ? (
          <>
            {m.customerImport_sentAt()} <Timestamp value={sentAt} />:
          </>
        ) : (
          m.customerImport_sentSometime()
        )}{' '}
        {describeFailure(failure)}. {describeDoubt(heldFor)}
      </p>
      {message ? (
        <p>
          {m.customerImport_serviceSaid()} <UntrustedText>{message}</UntrustedText>
        </p>
      ) : null}
      {heldFor && candidates.length > 0 ? (
        <ul aria-label={m.customerImport_candidatesOfLine({ line })} className="grid gap-1.5">
          {candidates.map((candidate) => (
            <Candidate key={candidate.id} line={line} candidate={candidate} decide={decide} reason={reason} />
          ))}
        </ul>
      ) : null}
      {heldFor ? (
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            aria-label={m.customerImport_sendLineAgain({ line })}
            reason={reason}
            onClick={() => decide({ line, decision: 'send-again' })}
          >
            {m.customerImport_sendAgain()}
          </Button>
          <Button
            size="small"
            tone="quiet"
            aria-label={m.customerImport_leaveLineOut({ line })}
            reason={reason}
            onClick={() => decide({ line, decision: 'leave-out' })}
          >
            {m.customerImport_leaveOut()}
          </Button>
        </div>
      ) : null}
    </li>
  )
}

/** Lines whose outcome is unknown, with the choices for those that need a decision. */
export function DoubtfulLines({ doubts, ...deciding }: Deciding & { doubts: readonly DoubtfulLine[] }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="grid gap-2">
      <h2 id={heading} className="text-base font-semibold">
        {m.customerImport_linesInDoubt()}
      </h2>
      <p className="text-ink-soft">{m.customerImport_linesInDoubtAreNotSentAgain()}</p>
      <ul className="rounded-lg border border-line bg-surface">
        {doubts.map((doubt) => (
          <Doubt key={doubt.line} doubt={doubt} {...deciding} />
        ))}
      </ul>
    </section>
  )
}
