'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { callDesk } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { pageOfList, type SavedViews } from '@/lib/contract/saved-view'
import * as words from '@/lib/words/views'
import { Link } from '../link'
import { ProblemNotice } from '../problem-notice'
import type { ToolDialogProps } from './tool-dialog'
import { ViewForm } from './view-form'
import { ViewRow, viewLink } from './view-row'

/** What became of a change; what is wrong with a name is for its form to say. */
export type KeptView = 'kept' | 'failed' | { wrong: string }

type ViewsPanelProps = Omit<ToolDialogProps, 'tool'>

/** The saved views of a list: open one, rename and delete one, save what is shown now. */
export function ViewsPanel({ list, shown, onClose }: ViewsPanelProps) {
  const [saved, setSaved] = useState<SavedViews | null>(null)
  const [error, setError] = useState<unknown>(null)
  const panel = useRef<HTMLDivElement>(null)
  const page = pageOfList(list)
  const tell = useEffectEvent(shown.take)

  useEffect(() => {
    if (saved) tell(saved.views)
  }, [saved])

  useEffect(() => {
    const request = new AbortController()
    callDesk<SavedViews>(`/views?list=${page}`, { signal: request.signal }).then(setSaved, (cause) => {
      if (!request.signal.aborted) setError(cause)
    })
    return () => request.abort()
  }, [page])

  async function change(path: `/views${string}`, method: 'POST' | 'PUT' | 'DELETE', body?: unknown): Promise<KeptView> {
    try {
      await callDesk(path, { method, body })
    } catch (cause) {
      if (cause instanceof CallError && cause.code === 'conflict' && cause.problem?.errors?.['name'])
        return { wrong: cause.message }
      setError(cause)
      return 'failed'
    }
    setError(null)
    if (method === 'DELETE') focusElsewhere(path)
    await callDesk<SavedViews>(`/views?list=${page}`).then(setSaved, setError)
    return 'kept'
  }

  /** Before a row goes that has the focus: the dialog would take it to itself. */
  function focusElsewhere(gone: string): void {
    const row = document.activeElement?.closest('li')
    if (!row || !gone.endsWith(row.dataset['view'] ?? '?')) return
    const controls = panel.current?.querySelectorAll<HTMLElement>('li a, input') ?? []
    ;[...controls].find((control) => !row.contains(control))?.focus()
  }

  return (
    <div ref={panel} className="grid gap-5">
      {saved === null && error === null ? <p className="text-ink-soft">{words.loading}</p> : null}
      {saved?.views.length === 0 ? <p className="text-ink-soft">{words.noViewHasBeenSaved}</p> : null}
      {page === 'payments' ? (
        <p>
          <Link href="/payments/closing" className={viewLink}>
            {words.closingToday}
          </Link>{' '}
          <span className="text-[0.8125rem] text-ink-soft">{words.whatCanBeCancelled}</span>
        </p>
      ) : null}
      {saved && saved.views.length > 0 ? (
        <ul aria-label={words.savedViews} className="border-b border-line">
          {saved.views.map((one) => (
            <ViewRow
              key={one.viewId}
              page={page}
              view={one}
              isShown={shown.isShown(one.query)}
              onOpen={onClose}
              onChange={change}
            />
          ))}
        </ul>
      ) : null}
      {error === null ? null : <ProblemNotice facts={readProblemFacts(error)} />}
      {saved ? (
        <ViewForm
          isPlain={shown.query === ''}
          mayShare={saved.mayShare}
          onSave={(view) => change('/views', 'POST', { list: page, query: shown.query, ...view })}
        />
      ) : null}
    </div>
  )
}
