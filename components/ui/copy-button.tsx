'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../feedback/copy-text'
import * as m from '@/lib/messages/m'

/** Copies a value; `name` labels it ("payment id"). Shows the result for two seconds. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])

  const statusMessage = isCopied ? m.controls_copied() : ''
  return (
    <span className="inline-flex items-center">
      <button
        type="button"
        onClick={() => void copyText(value).then(setCopied)}
        aria-label={m.controls_copy({ name })}
        title={statusMessage || m.controls_copy({ name })}
        className="inline-flex size-6 items-center justify-center rounded text-ink-faint hover:bg-sunken hover:text-ink max-md:size-11 max-md:-my-2.5"
      >
        {isCopied ? <Check className="size-3.5 text-positive" /> : <Copy className="size-3.5" />}
      </button>
      <output className="sr-only">{statusMessage}</output>
    </span>
  )
}
