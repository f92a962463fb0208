'use client'

import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { answerWithPasskey, explainFactorError } from '@/components/sign-in/prove-factor'
import { explainRefusal } from '@/components/sign-in/try-sign-in'
import { Button } from '@/components/ui/button'
import { callSecondFactor } from '@/lib/client/api-client'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { postAuth, readAuthReply } from '@/lib/client/post-auth'
import * as m from '@/lib/messages/m'

async function signInWithPasskey(): Promise<string | null> {
  const options = await callSecondFactor<Parameters<typeof answerWithPasskey>[0]>('/passkeys/challenge', {
    method: 'POST',
  })
  const answer = JSON.stringify(await answerWithPasskey(options))
  const response = await postAuth('callback/passkey', { answer, callbackUrl: '/' }).catch(() => null)
  if (await readAuthReply(response)) return null
  return response?.status === 401 ? m.secondFactor_unknownPasskey() : explainRefusal(response)()
}

/** Signs in with a passkey alone. */
export function PasskeyButton({ destination }: { destination: string }) {
  const inBrowser = useHydrated()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function signIn(): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    const reason = await signInWithPasskey().catch(
      (thrown: unknown) => explainFactorError(thrown) ?? m.signingIn_signingInDoesNotWork(),
    )
    if (reason === null) return window.location.assign(destination)
    setError(reason)
    setBusy(false)
  }

  return (
    <div className="mt-4 grid gap-3">
      <Button
        size="touch"
        className="w-full"
        disabled={!inBrowser}
        aria-busy={busy || undefined}
        onClick={() => void signIn()}
      >
        <KeyRound className="size-4" />
        {m.secondFactor_signInWithPasskey()}
      </Button>
      <p role="alert" className="text-[0.8125rem] font-medium text-negative empty:hidden">
        {error}
      </p>
    </div>
  )
}
