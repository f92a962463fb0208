'use client'

import { type FormEvent, useState } from 'react'
import type { SavedView, ViewPage } from '@/lib/contract/saved-view'
import * as words from '@/lib/words/views'
import { Link } from '../link'
import { Said } from '../said'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Input } from '../ui/input'

export const viewLink =
  'font-medium text-accent-ink underline decoration-accent-ink/35 underline-offset-2 hover:decoration-current'

type ViewRowProps = {
  page: ViewPage
  view: SavedView
  /** Whether it is what the list shows now. */
  isShown: boolean
  onOpen: () => void
  onChange: (path: `/views${string}`, method: 'PUT' | 'DELETE', body?: unknown) => Promise<boolean>
}

/** One saved view: its name is a link, which a colleague can be sent. */
export function ViewRow({ page, view, isShown, onOpen, onChange }: ViewRowProps) {
  const { viewId, name, query, isShared, savedBy, mayChange, isDefault } = view
  const [draft, setDraft] = useState<string | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const path = `/views/${viewId}` as const

  async function rename(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (draft?.trim() && (draft === name || (await onChange(path, 'PUT', { name: draft })))) setDraft(null)
  }

  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2">
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
        <form onSubmit={(event) => void rename(event)} className="flex min-w-0 flex-1 items-center gap-2">
          <Input
            aria-label={words.newNameOf(name)}
            value={draft}
            maxLength={80}
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" size="small">
            {words.rename}
          </Button>
          <Button tone="quiet" size="small" onClick={() => setDraft(null)}>
            {words.keep}
          </Button>
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
            <Button tone="quiet" size="small" aria-label={words.renameNamed(name)} onClick={() => setDraft(name)}>
              {words.rename}
            </Button>
          ) : null}
          {mayChange && !isDeleting ? (
            <Button tone="quiet" size="small" aria-label={words.deleteNamed(name)} onClick={() => setDeleting(true)}>
              {words.deleteLabel}
            </Button>
          ) : null}
          {isDeleting ? (
            <Button tone="quiet-danger" size="small" onClick={() => void onChange(path, 'DELETE')}>
              {isShared ? words.deleteForEverybody : words.reallyDelete}
            </Button>
          ) : null}
        </span>
      ) : null}
    </li>
  )
}
