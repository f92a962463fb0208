'use client'

import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'

/** Debounce in milliseconds. */
const DEBOUNCE_MS = 250

type SearchFieldProps = {
  id: string
  label: string
  placeholder: string
  /** The search text in the URL. */
  value: string
  /** Called with the search text and the history mode: one search is one entry, not one per letter. */
  onSearch: (value: string, history: 'push' | 'replace') => void
  /** Whether `onSearch` has added its history entry once it returns, so that one may go back from it. */
  addsEntryAtOnce?: boolean
  /** Whether many filters share the toolbar. */
  isShort?: boolean
}

/** `before`: the search before the history entry that this one has added; null before that. */
type Draft = { text: string; before: string | null }

/**
 * A search as you type. The draft replaces the URL's value only while the field has the focus; its first search adds
 * a history entry, which the next ones replace, and which goes again once the text is what it was before.
 */
export function SearchField(props: SearchFieldProps) {
  const { id, label, placeholder, value, onSearch, addsEntryAtOnce = false, isShort = false } = props
  const [draft, setDraft] = useState<Draft | null>(null)
  const text = draft?.text ?? value
  // Surrounding whitespace doesn't change the search.
  const isSame = text.trim() === value.trim()

  const isGoingBack = useRef(false)
  // Back discards the draft: otherwise it would be searched for again, or replace the entry gone back to.
  useEffect(() => {
    const leave = () => {
      if (!isGoingBack.current) setDraft(null)
      isGoingBack.current = false
    }
    addEventListener('popstate', leave)
    return () => removeEventListener('popstate', leave)
  }, [])

  function searchFor(wanted: string): void {
    const before = draft?.before ?? null
    onSearch(wanted, before === null ? 'push' : 'replace')
    setDraft({ text: wanted, before: before ?? value })
  }

  function searchOrGoBack(wanted: string): void {
    if (!addsEntryAtOnce || wanted.trim() !== draft?.before?.trim()) return searchFor(wanted)
    isGoingBack.current = true
    setDraft({ text: wanted, before: null })
    history.back()
  }

  const search = useEffectEvent(searchOrGoBack)

  useEffect(() => {
    if (isSame) return undefined
    const timer = setTimeout(() => search(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [isSame, text])

  return (
    <label htmlFor={id} className={isShort ? 'dt-search dt-search-short' : 'dt-search'}>
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="dt-search-icon" />
      {/* Not `Input`, whose module would bring the other fields with it. */}
      <input
        id={id}
        type="search"
        className="control w-full"
        data-list-search=""
        // Input before hydration would be shown but not searched for.
        disabled={!useHydrated()}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setDraft({ text: event.target.value, before: draft?.before ?? null })}
        onBlur={() => {
          // What takes the focus may lead elsewhere, and going back takes its time.
          if (!isSame) searchFor(text)
          setDraft(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isSame) searchOrGoBack(text)
        }}
      />
    </label>
  )
}
