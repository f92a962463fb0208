'use client'

import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { acceptGone, callDesk, CallError, isLost } from '@/lib/client/api-client'
import { pageOfList, type SavedView, type SavedViews, type ViewPage } from '@/lib/domain/lists/list-preferences'
import { ProblemNotice } from '../feedback/problem-notice'
import { showToast } from '../feedback/toast-store'
import { formatMessage } from '../forms/field-messages'
import { Link } from '../layout/link'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Input } from '../ui/input'
import { UntrustedText } from '../ui/untrusted-text'
import type { PanelProps } from './tool-props'
import { ViewForm, type ViewChangeResult } from './view-form'
import * as m from '@/lib/messages/m'

const viewLink =
  'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current'

/** Focuses the button that replaces the pressed one. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus()
}

type ViewRowProps = {
  page: ViewPage
  view: SavedView
  /** Whether the list currently shows this view. */
  isShown: boolean
  /** Whether a row is open beside the list. */
  hasOpenRow: boolean
  /** The query of what the list shows now. */
  shownQuery: string
  onOpen: () => void
  onChange: (path: `/views${string}`, method: 'PUT' | 'DELETE', body?: unknown) => Promise<ViewChangeResult>
}

/** One saved view: its name is a shareable link. */
function ViewRow({ page, view, isShown, hasOpenRow, shownQuery, onOpen, onChange }: ViewRowProps) {
  const { viewId, name, query, isShared, savedBy, mayChange, isDefault } = view
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const renameButton = useRef<HTMLButtonElement>(null)
  const wasTyping = useRef(false)
  const isTyping = draft !== null
  const [isDeleting, setDeleting] = useState(false)
  const [isUpdating, setUpdating] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const path = `/views/${viewId}` as const

  // The focus moves into the field, and back to the button afterwards.
  useLayoutEffect(() => {
    if (isTyping) field.current?.select()
    else if (wasTyping.current) renameButton.current?.focus()
    wasTyping.current = isTyping
  }, [isTyping])

  async function rename(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!draft?.trim()) {
      setError(m.views_giveItANameFirst())
      field.current?.focus()
      return
    }
    const result = draft === name ? 'kept' : await onChange(path, 'PUT', { name: draft })
    setError(typeof result === 'object' ? result.wrong : null)
    if (result === 'kept') leave()
    else field.current?.focus()
  }

  async function remove(): Promise<void> {
    setBusy(true)
    await onChange(path, 'DELETE')
    setBusy(false)
  }

  async function update(): Promise<void> {
    setBusy(true)
    const result = await onChange(`${path}/query`, 'PUT', { query: shownQuery })
    setBusy(false)
    if (result !== 'kept') return
    setUpdating(false)
    showToast(m.views_updated(), name, { isBrief: true })
    // The pressed button disappears.
    renameButton.current?.focus()
  }

  function leave(): void {
    setDraft(null)
    setError(null)
  }

  /** Escape cancels renaming without closing the dialog, which listens on the document. */
  function leaveByKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    event.nativeEvent.stopImmediatePropagation()
    leave()
  }

  return (
    <li data-view={viewId} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2">
      {draft === null ? (
        <Link
          // An address without a query opens the reader's default view.
          href={`/${page}?${query || 'view=all'}`}
          // Next.js adds an entry where the same view is written in another way.
          replace={isShown && !hasOpenRow}
          aria-current={isShown ? 'true' : undefined}
          onClick={onOpen}
          className={viewLink}
        >
          <UntrustedText>{name}</UntrustedText>
        </Link>
      ) : (
        <form
          onSubmit={(event) => void rename(event)}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-md:basis-full"
        >
          <Input
            ref={field}
            onKeyDown={leaveByKey}
            aria-label={m.views_newNameOf({ name })}
            aria-invalid={error !== null || undefined}
            aria-describedby={error === null ? undefined : `${viewId}-error`}
            value={draft}
            maxLength={80}
            onChange={(event) => {
              setDraft(event.target.value)
              setError(null)
            }}
            className="min-w-32 flex-1"
          />
          <Button type="submit" size="small">
            {m.views_rename()}
          </Button>
          <Button tone="quiet" size="small" onClick={leave}>
            {m.views_keep()}
          </Button>
          {error === null ? null : (
            <p id={`${viewId}-error`} className="w-full text-[0.8125rem] font-medium text-negative">
              {error}
            </p>
          )}
        </form>
      )}
      {isDefault ? <Badge tone="planned">{m.views_defaultWord()}</Badge> : null}
      <span className="text-[0.8125rem] text-ink-soft">
        {isShared ? (
          <>
            {m.views_sharedBy()} <UntrustedText>{savedBy}</UntrustedText>
          </>
        ) : (
          m.views_onlyForYou()
        )}
      </span>
      {draft === null ? (
        <span className="ml-auto flex flex-wrap items-center gap-1">
          <Button
            tone="quiet"
            size="small"
            aria-label={`${isDefault ? m.views_notDefault() : m.views_makeDefault()}: ${name}`}
            onClick={() => void onChange(`${path}/default`, 'PUT', { isDefault: !isDefault })}
          >
            {isDefault ? m.views_notDefault() : m.views_makeDefault()}
          </Button>
          {mayChange && !isShown && !isUpdating ? (
            <Button
              tone="quiet"
              size="small"
              aria-label={m.views_updateNamed({ name })}
              onClick={() => setUpdating(true)}
            >
              {m.views_update()}
            </Button>
          ) : null}
          {isUpdating && !isShown ? (
            <Button
              ref={focusButton}
              tone="quiet-danger"
              size="small"
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              reason={isBusy ? m.views_viewIsBeingUpdated() : null}
              onClick={() => void update()}
            >
              {isShared ? m.views_updateForEverybody() : m.views_reallyUpdate()}
            </Button>
          ) : null}
          {mayChange ? (
            <Button
              ref={renameButton}
              tone="quiet"
              size="small"
              aria-label={m.views_renameNamed({ name })}
              onClick={() => setDraft(name)}
            >
              {m.views_rename()}
            </Button>
          ) : null}
          {mayChange && !isDeleting ? (
            <Button
              tone="quiet"
              size="small"
              aria-label={m.views_deleteNamed({ name })}
              onClick={() => setDeleting(true)}
            >
              {m.views_deleteLabel()}
            </Button>
          ) : null}
          {isDeleting ? (
            <Button
              ref={focusButton}
              tone="quiet-danger"
              size="small"
              // A key still held down from the first press must not confirm.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              reason={isBusy ? m.views_viewIsBeingDeleted() : null}
              onClick={() => void remove()}
            >
              {isShared ? m.views_deleteForEverybody() : m.views_reallyDelete()}
            </Button>
          ) : null}
        </span>
      ) : null}
    </li>
  )
}

/** The saved views of a list: open, update, rename, delete, and save the current view. */
export function ViewsPanel({
  listId,
  view,
  shown,
  onClose,
}: Pick<PanelProps, 'listId' | 'view' | 'shown' | 'onClose'>) {
  const [saved, setSaved] = useState<SavedViews | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isInDoubt, setInDoubt] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const page = pageOfList(listId)

  // The list learns of them also where the panel has been closed meanwhile.
  function take(views: SavedViews): void {
    setSaved(views)
    shown.setViews(views.views)
  }
  const takeFirst = useEffectEvent(take)

  useEffect(() => {
    const request = new AbortController()
    callDesk<SavedViews>(`/views?list=${page}`, { signal: request.signal }).then(takeFirst, (cause) => {
      if (!request.signal.aborted) setError(cause)
    })
    return () => request.abort()
  }, [page])

  async function change(
    path: `/views${string}`,
    method: 'POST' | 'PUT' | 'DELETE',
    body?: unknown,
  ): Promise<ViewChangeResult> {
    try {
      const changing = callDesk<unknown>(path, { method, body })
      await (method === 'DELETE' ? changing.catch(acceptGone) : changing)
    } catch (cause) {
      const reason = cause instanceof CallError ? cause.problem?.errors?.['name']?.[0] : undefined
      if (cause instanceof CallError && reason !== undefined)
        return { wrong: (cause.code !== 'conflict' && formatMessage(m.views_name(), reason)) || cause.message }
      setError(cause)
      setInDoubt(isLost(cause))
      // Where it was done, the list says so.
      if (isLost(cause)) await readAgain().catch(() => undefined)
      return 'failed'
    }
    setError(null)
    setInDoubt(false)
    if (method === 'DELETE') moveFocusFromRow(path)
    await readAgain().catch(setError)
    return 'kept'
  }

  async function readAgain(): Promise<void> {
    take(await callDesk<SavedViews>(`/views?list=${page}`))
  }

  /** Moves the focus before its row disappears; otherwise the dialog would take it. */
  function moveFocusFromRow(gone: string): void {
    const row = document.activeElement?.closest('li')
    if (!row || !gone.endsWith(row.dataset['view'] ?? '?')) return
    const controls = panel.current?.querySelectorAll<HTMLElement>('li a, input') ?? []
    ;[...controls].find((control) => !row.contains(control))?.focus()
  }

  return (
    <div ref={panel} className="grid gap-5">
      {saved === null && error === null ? <p className="text-ink-soft">{m.views_loading()}</p> : null}
      {saved?.views.length === 0 ? <p className="text-ink-soft">{m.views_noViewHasBeenSaved()}</p> : null}
      {page === 'payments' ? (
        <p>
          <Link href="/payments/closing" className={viewLink}>
            {m.views_closingNext()}
          </Link>{' '}
          <span className="text-[0.8125rem] text-ink-soft">{m.views_whatCanBeCancelled()}</span>
        </p>
      ) : null}
      {saved && saved.views.length > 0 ? (
        <ul aria-label={m.views_savedViews()} className="border-b border-line">
          {saved.views.map((one) => (
            <ViewRow
              key={one.viewId}
              page={page}
              view={one}
              isShown={shown.isShown(one.query)}
              hasOpenRow={view.openRowId !== null}
              shownQuery={shown.query}
              onOpen={onClose}
              onChange={change}
            />
          ))}
        </ul>
      ) : null}
      {error === null ? null : (
        <ProblemNotice problem={toProblemInfo(error)} doubt={isInDoubt ? m.forms_checkTheList() : null} />
      )}
      {saved ? (
        <ViewForm
          isPlain={shown.query === ''}
          mayShare={saved.mayShare}
          onSave={(given) => change('/views', 'POST', { list: page, query: shown.query, ...given })}
        />
      ) : null}
    </div>
  )
}
