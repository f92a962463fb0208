'use client'

import { LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { callDesk } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import type { ProbeResult } from '@/lib/contract/inbox'
import * as words from '@/lib/words/webhooks'
import { describeProbe } from './describe-probe'

function describeError(error: unknown): string {
  const said = error instanceof CallError ? error.problem?.errors : null
  if (typeof said !== 'object' || said === null) return words.itCouldNotBeTried
  const reasons = Object.values(said)
    .flat()
    .filter((word) => typeof word === 'string')
  return reasons.length > 0 ? words.notTriedTheAddress(reasons.join(', ')) : words.itCouldNotBeTried
}

/** "Test": whether anything answers at an address, asked by the desk's server without delivering anything. */
export function ProbeButton({ address }: { address: string }) {
  const [told, setTold] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)

  async function probe(): Promise<void> {
    setAsking(true)
    try {
      const result = await callDesk<ProbeResult>('/webhooks/probe', { method: 'POST', body: { webhookUrl: address } })
      setTold(describeProbe(result).words)
    } catch (error) {
      setTold(describeError(error))
    } finally {
      setAsking(false)
    }
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      <output className="text-[0.8125rem] text-ink-soft empty:-mr-2">{told}</output>
      <Button size="small" onClick={() => void probe()} reason={isAsking ? words.itIsBeingTried : null}>
        {isAsking ? <LoaderCircle className="size-3.5 animate-spin" /> : null}
        {words.test}
      </Button>
    </span>
  )
}
