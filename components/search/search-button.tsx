'use client'

import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import type { ShellTool } from './destinations'
import * as m from '@/lib/messages/m'

const loadDialog = async () => (await import('./shell-dialog')).ShellDialog

/**
 * Ctrl or ⌘ with K or /; a question mark only in a grid, because single-key shortcuts elsewhere conflict (WCAG
 * 2.1.4).
 */
function matchShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): ShellTool | null {
  if (altKey) return null
  if (ctrlKey || metaKey) return key === '/' ? 'keys' : key.toLowerCase() === 'k' && !shiftKey ? 'find' : null
  return key === '?' && target instanceof Element && target.closest('[role=row]') ? 'keys' : null
}

/** The search button and its global shortcuts. The dialogs are loaded on first use. */
export function SearchButton({ mayManage }: { mayManage: boolean }) {
  const [tool, setTool] = useState<ShellTool | null>(null)
  const { part: Dialog, failed } = useLazyModule(tool !== null, loadDialog)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const requested = matchShortcut(event)
      if (!requested) return
      event.preventDefault()
      // An alert dialog must be answered first.
      if (!document.querySelector('[role="alertdialog"]')) setTool(requested)
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
      {failed ? <output className="sr-only">{m.shellControls_notLoaded()}</output> : null}
      {tool && Dialog ? (
        <Dialog tool={tool} mayManage={mayManage} onOpen={setTool} onClose={() => setTool(null)} />
      ) : null}
    </>
  )
}
