'use client'

import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Role } from '@/lib/api-contract/permission'
import { useAskedPart } from '../feedback/use-asked-part'
import type { ShellTool } from './destinations'
import { usesSlash } from './slash-shortcut'
import * as m from '@/lib/messages/m'

const loadDialog = async () => (await import('./shell-dialog')).ShellDialog

const TEXT_FIELDS = 'input, textarea, select, [contenteditable], dialog, [role=dialog]'

/**
 * Ctrl or ⌘ with K or /; a slash outside of fields, which can be switched off (WCAG 2.1.4); a question mark only in a
 * grid or the activity log.
 */
function matchShortcut({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  target,
}: KeyboardEvent): ShellTool | 'search' | null {
  if (altKey) return null
  if (ctrlKey || metaKey) return key === '/' ? 'keys' : key.toLowerCase() === 'k' && !shiftKey ? 'find' : null
  if (key === '/')
    return target instanceof Element && target.closest(TEXT_FIELDS) ? null : usesSlash() ? 'search' : null
  return key === '?' && target instanceof Element && target.closest('[role=row], .activity-entry') ? 'keys' : null
}

/** The search button and its global shortcuts. The dialogs are loaded on first use. */
export function SearchButton({ role }: { role: Role }) {
  const [tool, setTool] = useState<ShellTool | null>(null)
  const { part: Dialog } = useAskedPart(tool !== null, loadDialog, () => setTool(null))

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const requested = matchShortcut(event)
      if (!requested) return
      event.preventDefault()
      // An alert dialog must be answered first.
      if (document.querySelector('[role="alertdialog"]')) return
      const field = document.querySelector<HTMLInputElement>('[data-list-search]')
      // A modal panel hides the list.
      if (requested === 'search' && field && !field.closest('[aria-hidden="true"]')) {
        field.focus()
        field.select()
      } else setTool(requested === 'search' ? 'find' : requested)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setTool('find')}
        className="find-button"
      >
        <Search strokeWidth={1.75} className="size-4.5 max-md:size-5.5" />
        <span className="max-xl:sr-only">{m.shellControls_find()}</span>
        <kbd aria-hidden="true" className="ml-auto text-xs text-ink-faint max-xl:hidden">
          {m.shellControls_findKeys()}
        </kbd>
      </button>
      {tool && Dialog ? <Dialog tool={tool} role={role} onOpen={setTool} onClose={() => setTool(null)} /> : null}
    </>
  )
}
