'use client'

import { useEffect, useState } from 'react'
import { callDesk } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { pageOfList, type SavedViews } from '@/lib/contract/saved-view'
import * as words from '@/lib/words/views'
import { writeView } from '../data-table/table-view'
import { Link } from '../link'
import { ProblemNotice } from '../problem-notice'
import type { ToolDialogProps } from './tool-dialog'
import { ViewForm } from './view-form'
import { ViewRow, viewLink } from './view-row'

type ViewsPanelProps = Omit<ToolDialogProps, 'tool'>

/** The saved views of a list: open one, rename and delete one, save what is shown now. */
export function ViewsPanel({ list, filters, columns, choice, view, onClose }: ViewsPanelProps) {
  const [saved, setSaved] = useState<SavedViews | null>(null)
  const [error, setError] = useState<unknown>(null)
  const page = pageOfList(list)
  const query = writeView({ filters, columns }, { ...view, columns: choice.layout, open: null }).slice(1)

  useEffect(() => {
    const request = new AbortController()
    callDesk<SavedViews>(`/views?list=${page}`, { signal: request.signal }).then(setSaved, (cause) => {
      if (!request.signal.aborted) setError(cause)
    })
    return () => request.abort()
  }, [page])

  async function change(path: `/views${string}`, method: 'PUT' | 'DELETE', body?: unknown): Promise<boolean> {
    try {
      await callDesk(path, { method, body })
      setSaved(await callDesk<SavedViews>(`/views?list=${page}`))
      setError(null)
      return true
    } catch (cause) {
      setError(cause)
      return false
    }
  }

  /** Answers whether it was saved; what is wrong with the name is for the form to say. */
  async function save(body: { name: string; isShared: boolean }): Promise<'saved' | 'failed' | 'taken'> {
    try {
      await callDesk('/views', { method: 'POST', body: { list: page, query, ...body } })
    } catch (cause) {
      if (cause instanceof CallError && cause.code === 'conflict') return 'taken'
      setError(cause)
      return 'failed'
    }
    callDesk<SavedViews>(`/views?list=${page}`).then(setSaved, setError)
    setError(null)
    return 'saved'
  }

  return (
    <div className="grid gap-5">
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
              isShown={one.query === query}
              onOpen={onClose}
              onChange={change}
            />
          ))}
        </ul>
      ) : null}
      {error === null ? null : <ProblemNotice facts={readProblemFacts(error)} />}
      {saved ? <ViewForm isPlain={query === ''} mayShare={saved.mayShare} onSave={save} /> : null}
    </div>
  )
}
