'use client'

import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLoaded } from '../use-loaded'

const loadDialog = async () => (await import('./search-dialog')).SearchDialog

/** "Find", also by Ctrl or ⌘ with K from anywhere. Its dialog is fetched when it is first wanted. */
export function SearchButton({ mayManage }: { mayManage: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { part: Dialog, failed } = useLoaded(isOpen, loadDialog)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isShortcut || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // What must be answered first stays in front.
      if (!document.querySelector('[role="alertdialog"]')) setOpen(true)
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
        onClick={() => setOpen(true)}
        className="flex items-center gap-2.5 rounded-md text-ink-soft hover:text-ink max-md:ml-auto max-md:size-11 max-md:justify-center max-md:hover:bg-sunken md:mx-3 md:mb-4 md:h-9 md:border md:border-line md:px-2.5 md:hover:border-edge"
      >
        <Search aria-hidden="true" className="size-4.5 max-md:size-5.5" strokeWidth={1.75} />
        <span className="max-md:sr-only">Find</span>
        <kbd aria-hidden="true" className="ml-auto text-xs text-ink-faint max-md:hidden">
          Ctrl K
        </kbd>
      </button>
      {failed ? <output className="sr-only">The search could not be loaded. Load the page anew.</output> : null}
      {isOpen && Dialog ? <Dialog mayManage={mayManage} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
