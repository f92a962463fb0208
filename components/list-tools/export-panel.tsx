'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { CallError, callDesk, isLost, retryAfterStepUp } from '@/lib/client/api-client'
import { onSignIn } from '@/lib/client/identity-prompt'
import { createReadAgain } from '@/lib/client/read-again'
import { LIVE_INTERVAL_MS, useIsLive, useReadAgain } from '@/lib/client/use-live-changes'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { describeExport, type ExportQuery, type ListExportView } from '@/lib/domain/lists/list-export'
import { formatMoneyLine } from '@/lib/domain/amounts/money'
import { formatCount } from '@/lib/domain/numbers'
import { ProblemNotice } from '../feedback/problem-notice'
import { showToast } from '../feedback/toast-store'
import { useAppConfig, useMerchantAddress } from '../layout/app-config'
import { Button, buttonClasses } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { EarlierExports, ExportOrigin } from './earlier-exports'
import { type ExportedList, ExportForm } from './export-form'
import { ScheduledExports, useSchedules } from './scheduled-exports'
import * as m from '@/lib/messages/m'

const POLL_INTERVAL_MS = 700

type ExportState = {
  /** The shown export, initially the running one; null: none; undefined: loading. */
  view: ListExportView | null | undefined
  /** The retained exports of this list, newest first. */
  retained: readonly ListExportView[]
  /** The error of the last action until the next one, or else of the last read. */
  error: unknown
  begin: (query: ExportQuery) => Promise<void>
  change: (action: 'stop' | 'resume') => Promise<void>
  show: (view: ListExportView) => void
  /** Shows the running export, or returns to the form. */
  clear: () => void
  forgetError: () => void
}

function isSameFailure(known: unknown, cause: unknown): boolean {
  return (
    known instanceof CallError &&
    cause instanceof CallError &&
    known.status === cause.status &&
    known.code === cause.code
  )
}

function findRunning(views: readonly ListExportView[]): ListExportView | undefined {
  return views.find(({ state }) => state === 'running')
}

/**
 * The exports of a list and their actions; a running one is followed, wherever it was started. `opened` is shown first,
 * even if another one runs.
 */
export function useExport(list: ListId, opened?: ListExportView): ExportState {
  const [view, setView] = useState<ListExportView | null | undefined>(opened)
  const [retained, setRetained] = useState<readonly ListExportView[]>([])
  const [error, setError] = useState<unknown>(null)
  const [readError, setReadError] = useState<unknown>(null)
  const path = view ? (`/exports/${view.exportId}` as const) : null
  const isInProgress = view ? view.state === 'running' || view.isEnding : false

  const take = useCallback((taken: ListExportView) => {
    setView(taken)
    setRetained((before) => [taken, ...before.filter(({ exportId }) => exportId !== taken.exportId)])
    setReadError(null)
  }, [])

  /** Reads an export in the background. Rethrows its error. */
  const read = useCallback(
    async (from: `/exports/${string}`, signal?: AbortSignal) => {
      try {
        const taken = await callDesk<ListExportView>(from, { quiet: true, signal })
        if (!signal?.aborted) take(taken)
      } catch (cause) {
        // The same failure again is not another one to announce.
        if (!signal?.aborted) setReadError((known: unknown) => (isSameFailure(known, cause) ? known : cause))
        throw cause
      }
    },
    [take],
  )

  useEffect(() => {
    const request = new AbortController()
    callDesk<{ exports: ListExportView[] }>('/exports', { signal: request.signal }).then(
      ({ exports }) => {
        const own = exports.filter((one) => one.list === list)
        setRetained(own)
        setView((shown) => shown ?? findRunning(own) ?? null)
      },
      (cause) => request.signal.aborted || (setReadError(cause), setView((shown) => shown ?? null)),
    )
    return () => request.abort()
  }, [list])

  const isLive = useIsLive()
  const exportId = view?.exportId
  useReadAgain(
    ['export'],
    async () => {
      if (path) await read(path)
    },
    { ...(exportId !== undefined && { ids: [exportId] }), intervalMs: POLL_INTERVAL_MS },
  )
  useEffect(() => {
    if (!isInProgress || path === null) return undefined
    const request = new AbortController()
    const { signal } = request
    const intervalMs = isLive ? LIVE_INTERVAL_MS : POLL_INTERVAL_MS
    const poll = createReadAgain(
      async () => {
        await read(path, signal)
        poll.request()
      },
      intervalMs,
      intervalMs,
    )
    poll.request()
    const stopListening = onSignIn(poll.request)
    return () => {
      stopListening()
      poll.stop()
      request.abort()
    }
  }, [isInProgress, isLive, path, read])

  const act = (asking: Promise<ListExportView>): Promise<void> => asking.then(take, setError)

  return {
    view,
    retained,
    error: error ?? readError,
    begin: (query) =>
      act(retryAfterStepUp(() => callDesk<ListExportView>('/exports', { method: 'POST', body: query }))),
    change: async (action) => {
      if (path) await act(callDesk<ListExportView>(path, { method: 'POST', body: { action } }))
    },
    show: setView,
    clear: () => setView(findRunning(retained) ?? null),
    forgetError: () => {
      setError(null)
      setReadError(null)
    },
  }
}

type ExportResultProps = {
  view: ListExportView
  onChange: (action: 'stop' | 'resume') => Promise<void>
  onAnother: () => void
}

function Sums({ sums }: Pick<ListExportView, 'sums'>) {
  const { locale } = useAppConfig()
  if (sums.length === 0) return null
  return (
    <table className="w-full text-left">
      <caption className="mb-1 text-left font-medium">{m.exporting_sums()}</caption>
      <thead className="text-[0.8125rem] text-ink-soft">
        <tr>
          <th scope="col" className="py-1 font-normal">
            {m.exporting_mode()}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {m.exporting_payments()}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {m.exporting_sum()}
          </th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ mode, currency, count, minor }) => (
          <tr key={`${mode} ${currency}`} className="border-t border-line">
            <td className="py-1.5">
              {(mode === 'live' ? m.payments_live : mode === 'test' ? m.payments_test : m.exporting_notSpecified)()}
            </td>
            <td className="py-1.5 text-right tabular-nums">{formatCount(count, locale)}</td>
            <td className="py-1.5 text-right tabular-nums">
              {minor === null
                ? m.exporting_notEveryAmountCan({ noCurrency: currency || m.exporting_noCurrency() })
                : formatMoneyLine(minor, currency, 'minor', locale)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What the file of a stopped export is, or why there is none. */
function describeFile({ sha256, isEnding, mayResume, rows }: ListExportView, locale: string): string {
  if (isEnding) return m.exporting_thereIsNoFileBefore()
  if (sha256 !== null)
    return mayResume ? `${m.exporting_fileIsNotTheWhole()} ${m.exporting_itCanGo()}` : m.exporting_fileIsNotTheWhole()
  const count = { count: rows, written: formatCount(rows, locale) }
  return mayResume ? m.exporting_resumeForTheFile(count) : m.exporting_thereIsNoFile()
}

/** An export in progress or ended: its result and files. */
export function ExportResult({ view, onChange, onAnother }: ExportResultProps) {
  const address = useMerchantAddress()
  const { locale } = useAppConfig()
  const { state, sha256, sums, exportId, mayResume } = view
  const files = `/api/desk/exports/${exportId}`
  return (
    <div className="grid gap-5" data-export={state}>
      <div>
        <output className="block text-base font-semibold">{describeExport(view, locale)}</output>
        <p className="mt-0.5 text-[0.8125rem] text-ink-soft">
          <ExportOrigin view={view} />
        </p>
      </div>
      {state === 'running' ? (
        <>
          <progress aria-label={m.exporting_exportWord()} className="h-1.5 w-full" />
          <div>
            <Button onClick={() => void onChange('stop')}>{m.exporting_stop()}</Button>
          </div>
        </>
      ) : (
        <>
          {state === 'stopped' ? <p className="text-caution">{describeFile(view, locale)}</p> : null}
          <div className="flex flex-wrap gap-2">
            {mayResume ? (
              <Button tone="primary" onClick={() => void onChange('resume')}>
                {m.exporting_resume()}
              </Button>
            ) : null}
            {sha256 === null ? null : (
              <>
                <a
                  href={address(`${files}/file`)}
                  download
                  referrerPolicy="same-origin"
                  className={buttonClasses(state === 'complete' ? 'primary' : undefined)}
                >
                  {m.exporting_downloadCsv()}
                </a>
                <a
                  href={address(`${files}/statement`)}
                  download
                  referrerPolicy="same-origin"
                  className={buttonClasses()}
                >
                  {m.exporting_downloadStatement()}
                </a>
              </>
            )}
            <Button tone="quiet" onClick={onAnother}>
              {m.exporting_newExport()}
            </Button>
          </div>
          <Sums sums={sums} />
          {sha256 ? (
            <div>
              <p className="font-medium">{m.exporting_shaOfTheFile()}</p>
              <p className="flex items-center gap-1">
                <code className="min-w-0 text-xs wrap-anywhere">{sha256}</code>
                <CopyButton value={sha256} name="SHA-256" />
              </p>
            </div>
          ) : null}
        </>
      )}
    </div>
  )
}

/** Scrolls an error below the button into view, which would be missed on a phone. */
function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

type ExportPanelProps = ExportedList & {
  /** An export of the list to show first. */
  opened?: ListExportView | undefined
  /** Called when another export is asked for than the one shown. */
  onLeave?: () => void
}

/** Exports a list: options, progress, and a verifiable result. */
export function ExportPanel({ opened, onLeave, ...props }: ExportPanelProps) {
  const { view, retained, error, begin, change, show, clear, forgetError } = useExport(props.listId, opened)
  const scheduled = useSchedules(props.listId)
  const { add } = scheduled
  const problem = error ?? add.error
  const panel = useRef<HTMLDivElement>(null)
  const openedId = opened?.exportId
  useEffect(() => {
    if (openedId !== undefined) panel.current?.focus()
  }, [openedId])
  /** Forgets what was refused before, whichever action it was. */
  function startAnew(): void {
    forgetError()
    add.reset()
  }
  return (
    <div ref={panel} tabIndex={-1}>
      {view === undefined ? <p className="text-ink-soft">{m.exporting_loading()}</p> : null}
      {view === null ? (
        <ExportForm
          {...props}
          onBegin={(query) => {
            startAnew()
            return begin(query)
          }}
          onSchedule={(request) => {
            startAnew()
            return add.mutateAsync(request).then(
              () => showToast(m.exporting_scheduleSaved()),
              () => undefined,
            )
          }}
        />
      ) : null}
      {view ? (
        <ExportResult
          view={view}
          onChange={(action) => {
            startAnew()
            return change(action)
          }}
          onAnother={() => {
            startAnew()
            clear()
            onLeave?.()
          }}
        />
      ) : null}
      {problem === null ? null : (
        <div ref={scrollIntoView} className="mt-4">
          <ProblemNotice
            problem={toProblemInfo(problem)}
            doubt={error === null && isLost(add.error) ? m.forms_checkTheList() : null}
          />
        </div>
      )}
      {view === null ? (
        <ScheduledExports {...scheduled} onAct={startAnew} focusAfterLast={() => panel.current?.focus()} />
      ) : null}
      {/* A mail about several exports opens one of them; the others are found below it. */}
      {view === null || (view && view.exportId === openedId) ? (
        <EarlierExports
          views={retained.filter(({ exportId }) => exportId !== view?.exportId)}
          onShow={(earlierView) => {
            startAnew()
            show(earlierView)
          }}
        />
      ) : null}
    </div>
  )
}
