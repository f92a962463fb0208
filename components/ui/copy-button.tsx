'use client'

import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../feedback/copy-text'
import * as m from '@/lib/messages/m'

type CopyButtonProps = { value: string; name: string; onCopied?: () => void }

/** Copies a value; `name` labels it ("payment id"). Shows the result for two seconds. */
export function CopyButton({ value, name, onCopied }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)

  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    const wasCopied = await copyText(value)
    setCopied(wasCopied)
    if (wasCopied) onCopied?.()
  }

  const statusMessage = isCopied ? m.controls_copied() : ''
  return (
    <span className="inline-flex items-center">
      <button
        type="button"
        onClick={() => void copy()}
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
