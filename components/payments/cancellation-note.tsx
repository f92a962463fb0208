'use client'

import { useEffect, useState } from 'react'
import type { CancellationView } from '@/lib/contract/cancellation'
import { describeChecked, describeOutcome, outcomeWords } from '@/lib/format/outcome'
import { Said } from '../said'
import { Timestamp } from '../timestamp'
import { useLoaded } from '../use-loaded'
import * as words from '@/lib/words/cancellation-note'
import { OutcomeBadge } from './outcome-badge'

const loadActions = async () => (await import('./needs-person-actions')).NeedsPersonActions

/** What people have found out about one that the desk could not settle. */
function Findings({ view: { checked, handled } }: { view: CancellationView }) {
  return (
    <div className="mt-2 grid gap-1 text-[0.8125rem] wrap-anywhere text-ink-soft">
      {checked ? (
        <p>
          {words.checkedBy} {checked.by}, <Timestamp value={checked.at} />: <Said>{describeChecked(checked)}</Said>
        </p>
      ) : null}
      {handled ? (
        <p data-handled="">
          <span className="font-medium text-ink">{words.handled}</span> {words.by} {handled.by},{' '}
          <Timestamp value={handled.at} />
          {words.note} <Said>{handled.note}</Said>
        </p>
      ) : null}
    </div>
  )
}

/** So long an accepted request has time to be carried out before anybody is offered to look (milliseconds). */
const patience = 20_000

/** Whether a person may have something done about it: where the desk waits for the service in vain, and where it cannot go on. */
function useUnsettled({ outcome, requestedAt }: CancellationView): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), Date.parse(requestedAt) + patience - Date.now())
    return () => clearTimeout(timer)
  }, [requestedAt])
  return outcome === 'needs-person' || outcome === 'unknown' || (outcome === 'requested' && isLate)
}

/** What Debitdesk did to a payment: the outcome, why, who asked, when and with which reason. `mayAct` offers what a person can do. */
export function CancellationNote({ view, mayAct = false }: { view: CancellationView; mayAct?: boolean }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-4">
      <CancellationCourse view={view} mayAct={mayAct} />
    </div>
  )
}

/** The same without a frame of its own. */
export function CancellationCourse({ view, mayAct = false }: { view: CancellationView; mayAct?: boolean }) {
  const why = describeOutcome(view)
  const isOffered = useUnsettled(view) && mayAct
  const { part: Actions } = useLoaded(isOffered, loadActions)
  return (
    <>
      <div className="flex min-h-6 items-center">
        {view.outcome === 'cancelled' ? (
          // The payment's own state says so by a badge already.
          <p data-outcome="cancelled" className="font-medium">
            {outcomeWords.cancelled}
          </p>
        ) : (
          <OutcomeBadge view={view} />
        )}
      </div>
      <p className="mt-2 text-[0.8125rem] wrap-anywhere text-ink-soft">
        {words.requestedBy} {view.requestedBy}, <Timestamp value={view.requestedAt} />
        {words.reason} <Said>{view.text}</Said>
      </p>
      {/* It comes and goes with the outcome: behind what stays, so that nothing else moves. */}
      {why ? (
        <p className="mt-2 wrap-anywhere text-ink">
          <Said>{why}</Said>
        </p>
      ) : null}
      {view.checked || view.handled ? <Findings view={view} /> : null}
      {view.outcome === 'cancelled' && !why && view.closedAt ? (
        <p className="mt-2 text-[0.8125rem] text-ink-soft">
          {words.shownCancelled} <Timestamp value={view.closedAt} />.
        </p>
      ) : null}
      {Actions && isOffered ? <Actions view={view} /> : null}
    </>
  )
}
