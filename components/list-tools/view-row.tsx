'use client'

import { type FormEvent, useState } from 'react'
import type { SavedView, ViewPage } from '@/lib/contract/saved-view'
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
            aria-label={`New name of ${name}`}
            value={draft}
            maxLength={80}
            onChange={(event) => setDraft(event.target.value)}
          />
          <Button type="submit" size="small">
            Rename
          </Button>
          <Button tone="quiet" size="small" onClick={() => setDraft(null)}>
            Keep
          </Button>
        </form>
      )}
      {isDefault ? <Badge tone="planned">Default</Badge> : null}
      <span className="text-[0.8125rem] text-ink-soft">
        {isShared ? (
          <>
            Shared by <Said>{savedBy}</Said>
          </>
        ) : (
          'Only for you'
        )}
      </span>
      {draft === null ? (
        <span className="ml-auto flex flex-wrap items-center gap-1">
          <Button
            tone="quiet"
            size="small"
            aria-label={`${isDefault ? 'Not default' : 'Make default'}: ${name}`}
            onClick={() => void onChange(`${path}/default`, 'PUT', { isDefault: !isDefault })}
          >
            {isDefault ? 'Not default' : 'Make default'}
          </Button>
          {mayChange ? (
            <Button tone="quiet" size="small" aria-label={`Rename ${name}`} onClick={() => setDraft(name)}>
              Rename
            </Button>
          ) : null}
          {mayChange && !isDeleting ? (
            <Button tone="quiet" size="small" aria-label={`Delete ${name}`} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          ) : null}
          {isDeleting ? (
            <Button tone="quiet-danger" size="small" onClick={() => void onChange(path, 'DELETE')}>
              {isShared ? 'Delete for everybody' : 'Really delete'}
            </Button>
          ) : null}
        </span>
      ) : null}
    </li>
  )
}
