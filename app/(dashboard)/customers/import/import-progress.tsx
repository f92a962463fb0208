'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { useAppConfig } from '@/components/layout/app-config'
import { Anchor, Link } from '@/components/layout/link'
import { Button, buttonClasses } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callDesk } from '@/lib/client/api-client'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { CustomerImportView, LineDecision } from '@/lib/domain/customers/customer-import'
import { describeCounts, describeImport } from '@/lib/domain/customers/describe-import'
import { shortenId } from '@/lib/domain/ids'
import { formatCount } from '@/lib/domain/numbers'
import { buildPagePath } from '@/lib/domain/page-address'
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
    // One that is opened from the list may have gone on since the page was made.
    initialDataUpdatedAt: 0,
    staleTime: POLL_INTERVAL_MS,
    refetchInterval: ({ state }) => choosePolling(state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    retry: false,
  })
  async function show(changed: CustomerImportView): Promise<void> {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, changed)
  }
  const action = useMutation({
    mutationFn: (action: 'stop' | 'go-on') => callDesk<CustomerImportView>(path, { method: 'POST', body: { action } }),
    onMutate: (): void => decision.reset(),
    onSuccess: show,
  })
  const decision = useMutation({
    mutationFn: (body: LineDecision) => callDesk<CustomerImportView>(`${path}/lines`, { method: 'POST', body }),
    onMutate: (): void => action.reset(),
    onSuccess: show,
    // Somebody else may have decided it: reload.
    onError: () => client.invalidateQueries({ queryKey }),
  })
  const isBusy = action.isPending || decision.isPending
  return {
    view,
    error: decision.error ?? action.error ?? error,
    /** Why nothing can be done now. */
    reason: isBusy ? m.forms_requestIsOnItsWay() : null,
    act: action.mutate,
    decide: decision.mutate,
  }
}

const TROUBLE_LABELS = { refused: m.customerImport_refusedLabel, 'left-out': m.customerImport_leftOutLabel }

type StopOrGoOnProps = {
  isRunning: boolean
  reason: string | null
  onAct: (action: 'stop' | 'go-on') => void
  onFocusLost: () => void
}

/** One button for both, which keeps the focus. */
function StopOrGoOn({ isRunning, reason, onAct, onFocusLost }: StopOrGoOnProps) {
  const button = useFocusLost<HTMLButtonElement>(onFocusLost)
  return (
    <Button
      ref={button}
      tone={isRunning ? 'secondary' : 'primary'}
      reason={reason}
      onClick={() => onAct(isRunning ? 'stop' : 'go-on')}
    >
      {isRunning ? m.customerImport_stop() : m.customerImport_goOn()}
    </Button>
  )
}

/** The pages of the first customers that an import created. */
function CreatedCustomers({ customers, created }: { customers: CustomerImportView['customers']; created: number }) {
  const { locale } = useAppConfig()
  if (customers.length === 0) return null
  return (
    <section className="grid gap-2">
      <h2 className="text-base font-semibold">{m.customerImport_createdCustomers()}</h2>
      <ul className="grid gap-1 rounded-lg border border-line bg-surface px-4 py-3">
        {customers.map(({ line, name, customerId }) => {
          const page = buildPagePath('/customers', customerId)
          const shown = <UntrustedText>{name || shortenId(customerId)}</UntrustedText>
          return (
            <li key={line} className="wrap-anywhere">
              {page ? (
                <Link href={page} className="font-medium text-accent-ink underline">
                  {shown}
                </Link>
              ) : (
                shown
              )}{' '}
              <span className="text-[0.8125rem] text-ink-soft">{m.customerImport_lineOf({ line })}</span>
            </li>
          )
        })}
      </ul>
      {created > customers.length ? (
        <p className="text-ink-soft">
          {m.customerImport_andMore({ most: formatCount(created - customers.length, locale) })}
        </p>
      ) : null}
    </section>
  )
}

/** The progress of an import, its problems, and buttons to stop and resume it. */
export function ImportProgress({ initialView, onLeave }: { initialView: CustomerImportView; onLeave: () => void }) {
  const { view, error, reason, act, decide } = useImport(initialView)
  const status = useRef<HTMLOutputElement>(null)
  const { locale } = useAppConfig()
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
          {`${describeImport(view)}. ${describeCounts(counts, locale)}.`}
        </output>
        <div className="flex flex-wrap gap-2">
          {isRunning || mayGoOn ? (
            <StopOrGoOn
              isRunning={isRunning}
              reason={reason}
              onAct={act}
              onFocusLost={() => status.current?.focus({ preventScroll: true })}
            />
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
      {doubts.length > 0 ? <DoubtfulLines doubts={doubts} reason={reason} decide={resolveLine} /> : null}
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
      <CreatedCustomers customers={view.customers} created={counts.created} />
    </div>
  )
}
