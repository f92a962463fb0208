'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useFormatCount } from '@/components/layout/app-config'
import { Anchor } from '@/components/layout/link'
import { Button, buttonClasses } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { CustomerImportView, LineDecision } from '@/lib/domain/customer-import'
import { describeImport } from './describe-import'
import { DoubtfulLines } from './doubtful-lines'

import * as m from '@/lib/messages/m'
/** Polling interval of a running import in milliseconds, where changes are not told. */
const POLL_INTERVAL_MS = 1_000

/** Follows an import and provides its actions. `error` is that of the last read or action. */
export function useImport(initialView: CustomerImportView) {
  const client = useQueryClient()
  const path = `/imports/${initialView.importId}` as const
  const queryKey = ['import', initialView.importId]
  const choosePolling = useLiveQuery(queryKey, ['import'], { ids: [initialView.importId] })
  const { data: view, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<CustomerImportView>(path, { signal, quiet: true }),
    initialData: initialView,
    staleTime: POLL_INTERVAL_MS,
    refetchInterval: ({ state }) => choosePolling(state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    retry: false,
  })
  async function show(changed: CustomerImportView): Promise<void> {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, changed)
  }
  const { mutate: act, error: actError } = useMutation({
    mutationFn: (action: 'stop' | 'go-on') => callDesk<CustomerImportView>(path, { method: 'POST', body: { action } }),
    onSuccess: show,
  })
  const { mutate: decide, error: decideError } = useMutation({
    mutationFn: (body: LineDecision) => callDesk<CustomerImportView>(`${path}/lines`, { method: 'POST', body }),
    onSuccess: show,
    // Somebody else may have decided it: reload.
    onError: () => client.invalidateQueries({ queryKey }),
  })
  return { view, error: decideError ?? actError ?? error, act, decide }
}

const TROUBLE_LABELS = { refused: m.customerImport_refusedLabel, 'left-out': m.customerImport_leftOutLabel }

/** The progress of an import, its problems, and buttons to stop and resume it. */
export function ImportProgress({ initialView, onLeave }: { initialView: CustomerImportView; onLeave: () => void }) {
  const { view, error, act, decide } = useImport(initialView)
  const status = useRef<HTMLOutputElement>(null)
  const formatCount = useFormatCount()
  const { counts, state, troubles, doubts } = view
  const total = counts.waiting + counts.created + counts.refused + counts.leftOut + counts.unknown
  const processed = counts.created + counts.refused + counts.leftOut
  const isRunning = state === 'running'
  const mayGoOn = !isRunning && counts.waiting + counts.unknown - counts.held > 0

  function resolveLine(decision: LineDecision): void {
    // Its buttons disappear with the resolved line: focus the status.
    decide(decision, { onSuccess: () => status.current?.focus() })
  }

  return (
    <div className="grid max-w-4xl grid-cols-1 gap-5 px-4 pb-12 md:px-8">
      <section className="grid gap-3 rounded-lg border border-line bg-surface p-5">
        <h2 className="text-base font-semibold wrap-anywhere">
          <UntrustedText>{view.fileName}</UntrustedText>
        </h2>
        <progress
          aria-label={m.customerImport_linesAnswered()}
          className="h-2 w-full"
          value={processed}
          max={Math.max(1, total)}
        />
        <output ref={status} tabIndex={-1} className="block" data-import={state}>
          {`${describeImport(view)}. ${[
            m.customerImport_ofCreated({ created: formatCount(counts.created), total: formatCount(total) }),
            ...(counts.found > 0 ? [m.customerImport_foundWithoutReply({ found: formatCount(counts.found) })] : []),
            ...(counts.refused > 0 ? [m.customerImport_refused({ refused: formatCount(counts.refused) })] : []),
            ...(counts.leftOut > 0 ? [m.customerImport_leftOutPart({ leftOut: formatCount(counts.leftOut) })] : []),
            ...(counts.unknown > counts.held
              ? [m.customerImport_withUnknownOutcome({ unknown: formatCount(counts.unknown - counts.held) })]
              : []),
            ...(counts.held > 0 ? [m.customerImport_needADecision({ held: formatCount(counts.held) })] : []),
          ].join(', ')}.`}
        </output>
        <div className="flex flex-wrap gap-2">
          {isRunning ? <Button onClick={() => act('stop')}>{m.customerImport_stop()}</Button> : null}
          {mayGoOn ? (
            <Button tone="primary" onClick={() => act('go-on')}>
              {m.customerImport_goOn()}
            </Button>
          ) : null}
          <Anchor href={`/api/desk/imports/${view.importId}/result`} download className={buttonClasses()}>
            {m.customerImport_resultFile()}
          </Anchor>
          <Button tone="quiet" onClick={onLeave}>
            {m.customerImport_anotherFile()}
          </Button>
        </div>
        <p className="text-[0.8125rem] text-ink-soft">
          {isRunning ? m.customerImport_youCanLeaveThisPage() : ''}
          {m.customerImport_sameFileStartedAgainGoes()}
        </p>
      </section>
      {error === null ? null : <ProblemNotice problem={toProblemInfo(error)} />}
      {doubts.length > 0 ? <DoubtfulLines doubts={doubts} decide={resolveLine} /> : null}
      {troubles.length > 0 ? (
        <section className="grid gap-2">
          <h2 className="text-base font-semibold">{m.customerImport_linesThatWereNotCreated()}</h2>
          <ul className="grid gap-1 rounded-lg border border-line bg-surface px-4 py-3">
            {troubles.map((trouble) => (
              <li key={trouble.line} className="wrap-anywhere">
                <span className="font-medium">
                  {m.customerImport_lineLabel({ line: trouble.line, state: TROUBLE_LABELS[trouble.state]() })}
                </span>
                {trouble.message ? `: ${trouble.message}` : ''}
                {trouble.leftOutBy ? m.customerImport_leftOutBy({ email: trouble.leftOutBy }) : ''}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}
