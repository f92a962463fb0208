'use client'

import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
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
  /** Whether many filters share the toolbar. */
  isShort?: boolean
}

type Draft = { text: string; hasEntry: boolean }

/**
 * A search as you type. The draft replaces the URL's value only while the field has the focus; its first search adds
 * a history entry, which the next ones replace.
 */
export function SearchField({ id, label, placeholder, value, onSearch, isShort = false }: SearchFieldProps) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const text = draft?.text ?? value
  // Surrounding whitespace doesn't change the search.
  const isSame = text.trim() === value.trim()

  // Back discards the draft: otherwise it would be searched for again, or replace the entry gone back to.
  useEffect(() => {
    const leave = () => setDraft(null)
    addEventListener('popstate', leave)
    return () => removeEventListener('popstate', leave)
  }, [])

  function searchFor(wanted: string): void {
    onSearch(wanted, draft?.hasEntry ? 'replace' : 'push')
    setDraft({ text: wanted, hasEntry: true })
  }

  function commit(): void {
    if (!isSame) searchFor(text)
  }

  const search = useEffectEvent(searchFor)

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
        onChange={(event) => setDraft({ text: event.target.value, hasEntry: draft?.hasEntry ?? false })}
        onBlur={() => {
          commit()
          setDraft(null)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
        }}
      />
    </label>
  )
}
