'use client'

import { Search } from 'lucide'
import { isTraversal } from '@/lib/browser/traversal'
import { Icon } from '../ui/icon'
import { useEffect, useEffectEvent, useState } from 'react'
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
  const [shown, setShown] = useState(value)
  const text = draft?.text ?? value

  // Who goes back leaves the draft behind: it would be searched for again.
  if (shown !== value) {
    setShown(value)
    if (isTraversal()) setDraft(null)
  }

  function commit(): void {
    if (text === value) return
    onSearch(text, draft?.hasEntry ? 'replace' : 'push')
    setDraft({ text, hasEntry: true })
  }

  const search = useEffectEvent(commit)

  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => search(), rest)
    return () => clearTimeout(timer)
  }, [text, value])

  return (
    <label htmlFor={id} className={hasCompany ? 'dt-search-short' : 'dt-search'}>
      <span className="sr-only">{label}</span>
      <Icon icon={Search} className="dt-search-icon" />
      <Input
        id={id}
        type="search"
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
