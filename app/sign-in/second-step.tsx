'use client'

import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { readFormFields } from '@/components/forms/form-elements'
import { AddApp, AddPasskey, RecoveryCodes } from '@/components/sign-in/add-factor'
import { FactorCodeField, readFactorProof } from '@/components/sign-in/factor-fields'
import { explainFactorError, provePasskey } from '@/components/sign-in/prove-factor'
import { Button } from '@/components/ui/button'
import { CallError, callSecondFactor } from '@/lib/client/api-client'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { postAuth, readAuthReply } from '@/lib/client/post-auth'
import type { FactorProof, SecondFactors } from '@/lib/domain/second-factor'
import * as m from '@/lib/messages/m'

type StepProps = { factors: SecondFactors; destination: string }

/** Ends the sign-in that lacks its factor, to begin another. */
function SignInAsAnother({ label = m.secondFactor_asAnother() }: { label?: string }) {
  const [hasFailed, setFailed] = useState(false)
  async function leave(): Promise<void> {
    setFailed(false)
    const reply = await readAuthReply(await postAuth('signout').catch(() => null))
    if (reply) window.location.assign('/sign-in')
    else setFailed(true)
  }
  return (
    <>
      <button
        type="button"
        className="mt-5 min-h-6 text-[0.8125rem] font-medium text-accent-ink underline underline-offset-2"
        onClick={() => void leave()}
      >
        {label}
      </button>
      {hasFailed ? (
        <p role="alert" className="mt-2 text-[0.8125rem] font-medium text-negative">
          {m.secondFactor_asAnotherNotYet()}
        </p>
      ) : null}
    </>
  )
}

/** The second step of a sign-in: a code or a passkey. */
export function EnterFactor({ factors: { email, authenticators, allowsPasskeys }, destination }: StepProps) {
  const inBrowser = useHydrated()
  /** What is being tried. */
  const [running, setRunning] = useState<'passkey' | 'code' | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const has = (kind: string) => authenticators.some((one) => one.kind === kind)

  async function give(kind: 'passkey' | 'code', prove: () => Promise<FactorProof>): Promise<void> {
    if (running) return
    setRunning(kind)
    setError(null)
    try {
      await callSecondFactor('', { method: 'POST', body: await prove() })
      window.location.assign(destination)
    } catch (thrown) {
      setOver(thrown instanceof CallError && thrown.code === 'signed-out')
      setError(explainFactorError(thrown) ?? m.signingIn_signingInDoesNotWork())
      setRunning(null)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = readFormFields(event.currentTarget)
    void give('code', async () => readFactorProof(fields))
  }

  return (
    <>
      <p className="mb-4 wrap-anywhere text-ink-soft">{m.secondFactor_enterAbout({ email })}</p>
      <p role="alert" className="sr-only">
        {error}
      </p>
      {has('passkey') && allowsPasskeys ? (
        <Button
          tone={has('totp') ? undefined : 'primary'}
          size="touch"
          className="mb-4 w-full"
          disabled={!inBrowser}
          aria-busy={running === 'passkey' || undefined}
          onClick={() => void give('passkey', provePasskey)}
        >
          <KeyRound className="size-4" />
          {m.secondFactor_usePasskey()}
        </Button>
      ) : null}
      <form method="post" onSubmit={submit} className="grid gap-4">
        <FactorCodeField id="factor" error={error} isFirst={has('totp')} />
        <Button
          type="submit"
          tone="primary"
          size="touch"
          className="w-full"
          disabled={!inBrowser}
          aria-busy={running === 'code' || undefined}
        >
          {m.signingIn_signIn()}
        </Button>
      </form>
      {isOver ? <SignInAsAnother label={m.signingInAgain_signInAgain()} /> : <SignInAsAnother />}
    </>
  )
}

/** The way in for those who must have a second factor and lack it. */
export function EnrolFactor({ factors: { allowsPasskeys }, destination }: StepProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const goOn = () => window.location.assign(destination)
  if (codes) return <RecoveryCodes codes={codes} onDone={goOn} />
  const onAdded = (added: { recoveryCodes: string[] | null }) =>
    added.recoveryCodes ? setCodes(added.recoveryCodes) : goOn()
  return (
    <div className="grid gap-5">
      <p className="text-ink-soft">{m.secondFactor_enrolAbout()}</p>
      <AddApp onAdded={onAdded} />
      {allowsPasskeys ? <AddPasskey onAdded={onAdded} /> : null}
      <SignInAsAnother />
    </div>
  )
}
