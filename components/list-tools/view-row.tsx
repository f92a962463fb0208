'use client'

import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { SavedView, ViewPage } from '@/lib/contract/saved-view'
import * as words from '@/lib/words/views'
import { Link } from '../link'
import { Said } from '../said'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Input } from '../ui/input'
import type { KeptView } from './views-panel'

export const viewLink =
  'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current'

/** What stands where the pressed button was has the focus. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus()
}

type ViewRowProps = {
  page: ViewPage
  view: SavedView
  /** Whether it is what the list shows now. */
  isShown: boolean
  onOpen: () => void
  onChange: (path: `/views${string}`, method: 'PUT' | 'DELETE', body?: unknown) => Promise<KeptView>
}

/** One saved view: its name is a link, which a colleague can be sent. */
export function ViewRow({ page, view, isShown, onOpen, onChange }: ViewRowProps) {
  const { viewId, name, query, isShared, savedBy, mayChange, isDefault } = view
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const renameButton = useRef<HTMLButtonElement>(null)
  const wasTyping = useRef(false)
  const isTyping = draft !== null
  const [isDeleting, setDeleting] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const path = `/views/${viewId}` as const

  // The focus follows: into the field, and back to the button that showed it.
  useLayoutEffect(() => {
    if (isTyping) field.current?.select()
    else if (wasTyping.current) renameButton.current?.focus()
    wasTyping.current = isTyping
  }, [isTyping])

  async function rename(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!draft?.trim()) return
    const came = draft === name ? 'kept' : await onChange(path, 'PUT', { name: draft })
    setError(typeof came === 'object' ? came.wrong : null)
    if (came === 'kept') leave()
    else field.current?.focus()
  }

  async function remove(): Promise<void> {
    setBusy(true)
    await onChange(path, 'DELETE')
    setBusy(false)
  }

  function leave(): void {
    setDraft(null)
    setError(null)
  }

  /** Escape ends the renaming; the dialog, which listens at the page too, stays. */
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
          href={`/${page}${query === '' ? '' : `?${query}`}`}
          aria-current={isShown ? 'true' : undefined}
          onClick={onOpen}
          className={viewLink}
        >
          <Said>{name}</Said>
        </Link>
      ) : (
        <form
          onSubmit={(event) => void rename(event)}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-md:basis-full"
        >
          <Input
            ref={field}
            onKeyDown={leaveByKey}
            aria-label={words.newNameOf(name)}
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
            {words.rename}
          </Button>
          <Button tone="quiet" size="small" onClick={leave}>
            {words.keep}
          </Button>
          {error === null ? null : (
            <p id={`${viewId}-error`} className="w-full text-[0.8125rem] font-medium text-negative">
              {error}
            </p>
          )}
        </form>
      )}
      {isDefault ? <Badge tone="planned">{words.defaultWord}</Badge> : null}
      <span className="text-[0.8125rem] text-ink-soft">
        {isShared ? (
          <>
            {words.sharedBy} <Said>{savedBy}</Said>
          </>
        ) : (
          words.onlyForYou
        )}
      </span>
      {draft === null ? (
        <span className="ml-auto flex flex-wrap items-center gap-1">
          <Button
            tone="quiet"
            size="small"
            aria-label={`${isDefault ? words.notDefault : words.makeDefault}: ${name}`}
            onClick={() => void onChange(`${path}/default`, 'PUT', { isDefault: !isDefault })}
          >
            {isDefault ? words.notDefault : words.makeDefault}
          </Button>
          {mayChange ? (
            <Button
              ref={renameButton}
              tone="quiet"
              size="small"
              aria-label={words.renameNamed(name)}
              onClick={() => setDraft(name)}
            >
              {words.rename}
            </Button>
          ) : null}
          {mayChange && !isDeleting ? (
            <Button tone="quiet" size="small" aria-label={words.deleteNamed(name)} onClick={() => setDeleting(true)}>
              {words.deleteLabel}
            </Button>
          ) : null}
          {isDeleting ? (
            <Button
              ref={takeFocus}
              tone="quiet-danger"
              size="small"
              // The key that asked for the deletion, still held, does not confirm it.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              reason={isBusy ? words.viewIsBeingDeleted : null}
              onClick={() => void remove()}
            >
              {isShared ? words.deleteForEverybody : words.reallyDelete}
            </Button>
          ) : null}
        </span>
      ) : null}
    </li>
  )
}
