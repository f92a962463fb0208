'use client'

import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { Input } from '../ui/input'

/** So long after the last letter the search begins (milliseconds). */
const rest = 250

type SearchFieldProps = {
  id: string
  label: string
  placeholder: string
  /** What is searched for: the URL's word. */
  value: string
  /** Called with what to search for, and how the address keeps it: Back takes a whole search, not its letters. */
  onSearch: (value: string, history: 'push' | 'replace') => void
  /** Whether many other filters stand beside it. */
  hasCompany?: boolean
}

type Draft = { text: string; hasEntry: boolean }

/**
 * A search that follows the typing. What is typed is a draft of the URL's value only while the field has the focus;
 * its first search has an entry of its own in the history, which the next ones take over.
 */
export function SearchField({ id, label, placeholder, value, onSearch, hasCompany = false }: SearchFieldProps) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const text = draft?.text ?? value
  // Spaces around it are no other search.
  const isSame = text.trim() === value.trim()

  // Who goes back leaves the draft behind: it would be searched for again, or in place of the entry gone back to.
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
    const timer = setTimeout(() => search(text), rest)
    return () => clearTimeout(timer)
  }, [isSame, text])

  return (
    <label htmlFor={id} className={hasCompany ? 'dt-search dt-search-short' : 'dt-search'}>
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="dt-search-icon" />
      <Input
        id={id}
        type="search"
        // What is typed before the script runs would be shown and not searched for.
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
