'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

import * as m from '@/lib/messages/m'
/** Copies a value; `name` labels it ("payment id"). Shows the result for two seconds. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')

  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 2_000)
    return () => clearTimeout(timer)
  }, [state])

  async function copy() {
    try {
      // Browsers hide the clipboard from pages on plain http.
      await navigator.clipboard.writeText(value)
      setState('copied')
    } catch {
      setState('refused')
    }
  }

  const statusMessage = { idle: '', copied: m.controls_copied(), refused: m.controls_browserDidNotAllowIt() }[state]
  return (
    <span className="inline-flex items-center">
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={m.controls_copy({ name })}
        title={statusMessage || m.controls_copy({ name })}
        className="inline-flex size-6 items-center justify-center rounded text-ink-faint hover:bg-sunken hover:text-ink max-md:size-11 max-md:-my-2.5"
      >
        {state === 'copied' ? <Check className="size-3.5 text-positive" /> : <Copy className="size-3.5" />}
      </button>
      <output className="sr-only">{statusMessage}</output>
    </span>
  )
}
