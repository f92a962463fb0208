'use client'

import { useId, useSyncExternalStore } from 'react'
import { densityCookie } from '@/lib/contract/density'
import * as words from '@/lib/words/displaying'

const choices = [
  { value: undefined, name: words.comfortable },
  { value: 'compact', name: words.compact },
] as const

const read = () => document.documentElement.dataset.density

function subscribe(onChange: () => void): () => void {
  const watch = new MutationObserver(onChange)
  watch.observe(document.documentElement, { attributeFilter: ['data-density'] })
  return () => watch.disconnect()
}

/** Kept in this browser for a year; the server reads it, so that no page is drawn in the wrong one. */
function choose(value: 'compact' | undefined): void {
  if (value) document.documentElement.dataset.density = value
  else delete document.documentElement.dataset.density
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store is not in every browser
  document.cookie = `${densityCookie}=${value ?? ''}; path=/; max-age=${value ? 31_536_000 : 0}; samesite=lax${secure}`
}

/** Rows close together or roomy, in every list of this browser. */
export function DensitySwitch() {
  const name = useId()
  const density = useSyncExternalStore(subscribe, read, () => undefined)
  return (
    <fieldset className="flex flex-wrap items-center gap-x-5 gap-y-1">
      <legend className="float-left mr-5 font-medium">{words.rows}</legend>
      {choices.map((choice) => (
        <label key={choice.name} className="flex min-h-8 items-center gap-2 max-md:min-h-11">
          <input
            type="radio"
            name={name}
            checked={density === choice.value}
            onChange={() => choose(choice.value)}
            className="size-4 accent-accent"
          />
          {choice.name}
        </label>
      ))}
    </fieldset>
  )
}
