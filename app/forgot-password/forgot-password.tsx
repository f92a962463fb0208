'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { readFormFields } from '@/components/forms/form-elements'
import { explainWait } from '@/components/sign-in/try-sign-in'
import { Button, buttonClasses } from '@/components/ui/button'
import { InputField } from '@/components/ui/field'
import { CallError, toCallError } from '@/lib/client/api-client'
import { useHydrated } from '@/lib/client/page-lifecycle'
import * as m from '@/lib/messages/m'

/** Throws CallError. */
async function askForLink(email: string): Promise<void> {
  const response = await fetch('/api/password-request', {
    method: 'POST',
    headers: { 'x-debitdesk': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
    redirect: 'error',
    cache: 'no-store',
  }).catch((cause: unknown) => {
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  })
  if (!response.ok) throw toCallError(response, await response.json().catch(() => null))
}

function SignInLink() {
  return (
    // oxlint-disable-next-line next/no-html-link-for-pages -- a full load: nothing of this page goes along
    <a href="/sign-in" className={`${buttonClasses(undefined, 'touch')} mt-3 w-full`}>
      {m.signingIn_goToSignIn()}
    </a>
  )
}

/** The same for every address: whether it has an account is for its owner alone. */
function Asked() {
  const notice = useRef<HTMLOutputElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <>
      <output ref={notice} tabIndex={-1} className="block">
        <span className="block font-medium">{m.signingIn_lookInYourMail()}</span>
        <span className="mt-1 block text-ink-soft">{m.signingIn_linkComesIfAccount()}</span>
      </output>
      <SignInLink />
    </>
  )
}

export function ForgotPassword() {
  const inBrowser = useHydrated()
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle')
  const [error, setError] = useState<unknown>(null)
  if (state === 'done') return <Asked />
  const wait = error instanceof CallError && error.status === 429 ? explainWait(error.retryAfter ?? 0) : null

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (state === 'busy') return
    setState('busy')
    setError(null)
    const { email = '' } = readFormFields(event.currentTarget)
    try {
      await askForLink(email)
      setState('done')
    } catch (caught) {
      setError(caught)
      setState('idle')
    }
  }

  return (
    <>
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-soft">{m.signingIn_weMailALink()}</p>
        {wait ? (
          <p
            role="alert"
            className="rounded-md border border-negative/30 bg-negative-soft px-3 py-2 font-medium text-negative"
          >
            {wait()}
          </p>
        ) : null}
        {error && !wait ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
        <InputField
          id="email"
          label={m.signingIn_email()}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={320}
        />
        <Button
          type="submit"
          tone="primary"
          size="touch"
          disabled={!inBrowser}
          aria-busy={state === 'busy' || undefined}
          className="w-full"
        >
          {m.signingIn_sendLink()}
        </Button>
      </form>
      <SignInLink />
    </>
  )
}
