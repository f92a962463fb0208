'use client'

import { useState } from 'react'
import { postAuth } from '@/lib/browser/post-auth'
import { useInBrowser } from '@/lib/browser/use-in-browser'
import * as words from '@/lib/words/signing-in'
import { Button } from '../ui/button'
import { explainRefusal } from './explain-refusal'

type ProviderButtonProps = {
  /** Whose sign-in page it leads to. */
  name: string
  destination: string
  /** The provider asks who it is whatever it remembers. */
  anew?: boolean
}

/** Leads to the provider's own sign-in page, and from there back to `destination`. */
export function ProviderButton({ name, destination, anew = false }: ProviderButtonProps) {
  const inBrowser = useInBrowser()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function leave(): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    const action = anew ? 'signin/oidc?prompt=login' : 'signin/oidc'
    const response = await postAuth(action, { callbackUrl: destination }).catch(() => null)
    const { url }: { url?: string } = (await response?.json().catch(() => null)) ?? {}
    const isOnItsWay = response?.ok && url !== undefined && !url.includes('/api/auth/')
    if (isOnItsWay) return window.location.assign(url)
    setBusy(false)
    setError(response?.ok ? words.cannotBeReachedJustNow(name) : explainRefusal(response))
  }

  return (
    <div className="flex flex-col gap-3">
      {error ? (
        <p
          role="alert"
          className="rounded-md border border-negative/30 bg-negative-soft px-3 py-2 font-medium text-negative"
        >
          {error}
        </p>
      ) : null}
      <Button
        tone="primary"
        size="touch"
        disabled={!inBrowser}
        aria-busy={busy || undefined}
        onClick={() => void leave()}
        className="w-full"
      >
        {words.signInWith(name)}
      </Button>
    </div>
  )
}
