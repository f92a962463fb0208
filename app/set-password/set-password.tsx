'use client'

import { RichMessage } from '@/components/ui/rich-message'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { readFormFields } from '@/components/forms/form-elements'
import { NewPasswordField } from '@/components/sign-in/password-fields'
import { Button, buttonClasses } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { CallError, toCallError } from '@/lib/client/api-client'
import type { LinkInfo } from '@/lib/domain/accounts'

import * as m from '@/lib/messages/m'
async function send(method: 'POST' | 'PUT', body: Record<string, string>): Promise<unknown> {
  const headers = { 'x-debitdesk': '1', 'content-type': 'application/json' }
  const response = await fetch('/api/password-link', {
    method,
    headers,
    body: JSON.stringify(body),
    redirect: 'error',
    cache: 'no-store',
  }).catch((cause: unknown) => {
    throw new CallError(0, 'desk-unreachable', null, null, { cause })
  })
  const json: unknown = await response.json().catch(() => null)
  if (!response.ok) throw toCallError(response, json)
  return json
}

/** Describes the link with this secret. Throws CallError `not-found` if it is invalid. */
export async function readPasswordLink(secret: string): Promise<LinkInfo> {
  return (await send('POST', { secret })) as LinkInfo
}

/** Sets the password and consumes the link. Throws CallError. */
export async function acceptPasswordLink(secret: string, password: string): Promise<void> {
  await send('PUT', { secret, password })
}

/** Removes the secret from the URL, where an onlooker or the history would find it. */
function takeSecret(): string {
  const secret = window.location.hash.slice(1)
  if (secret) window.history.replaceState(null, '', window.location.pathname)
  return secret
}

/** `info` is null where the link could not be described: `error` says why, or is null as well where the page has no link. */
type LinkState = { secret: string; info: LinkInfo | null; error: unknown }

async function describeLink(secret: string): Promise<LinkState> {
  if (secret === '') return { secret, info: null, error: null }
  return readPasswordLink(secret).then(
    (info) => ({ secret, info, error: null }),
    (error: unknown) => ({ secret, info: null, error }),
  )
}

/** The link that the page was opened by; null until it is described. */
function useLink(): { link: LinkState | null; retry: () => void } {
  const secret = useRef('')
  const [link, setLink] = useState<LinkState | null>(null)
  const retry = useCallback(() => void describeLink(secret.current).then(setLink), [])
  useEffect(() => {
    // In development effects run twice: the second run finds no fragment.
    secret.current = takeSecret() || secret.current
    retry()
    // Opened again in this tab, a link changes the fragment alone.
    const openAgain = () => {
      if (window.location.hash !== '') window.location.reload()
    }
    window.addEventListener('hashchange', openAgain)
    return () => window.removeEventListener('hashchange', openAgain)
  }, [retry])
  return { link, retry }
}

function Dead({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOver = error instanceof CallError && (error.code === 'not-found' || error.code === 'bad-request')
  if (error !== null && !isOver) return <ProblemNotice problem={toProblemInfo(error)} onRetry={onRetry} />
  return (
    <div role="alert">
      <p className="font-medium">{isOver ? m.signingIn_thisLinkDoesNotHold() : m.signingIn_openTheLinkAgain()}</p>
      <p className="mt-1 text-ink-soft">{isOver ? m.signingIn_itWorksOnce() : m.signingIn_linkIsNotKept()}</p>
      {/* oxlint-disable-next-line next/no-html-link-for-pages -- a full load: nothing of this page goes along */}
      <a href="/sign-in" className={`${buttonClasses(undefined, 'touch')} mt-5 w-full`}>
        {m.signingIn_goToSignIn()}
      </a>
    </div>
  )
}

function Done({ email }: { email: string }) {
  return (
    <div aria-live="polite">
      <p>
        <RichMessage
          message={m.signingIn_passwordIsSet}
          parts={{ email: <span className="font-medium wrap-anywhere">{email}</span> }}
        />
      </p>
      {/* oxlint-disable-next-line next/no-html-link-for-pages -- a full load: nothing of this page goes along */}
      <a href="/sign-in" className={`${buttonClasses('primary', 'touch')} mt-5 w-full`}>
        {m.signingIn_goToSignIn()}
      </a>
    </div>
  )
}

export function SetPassword() {
  const { link, retry } = useLink()
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle')
  const [error, setError] = useState<unknown>(null)
  if (!link) return <Skeleton className="h-40 w-full" />
  if (!link.info) return <Dead error={link.error} onRetry={retry} />
  const { secret, info } = link
  if (state === 'done') return <Done email={info.email} />
  const problem = error instanceof CallError ? error : null
  const message = problem?.problem?.errors?.password?.[0]
  if (problem?.code === 'not-found') return <Dead error={problem} onRetry={retry} />

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (state === 'busy') return
    setState('busy')
    const { password = '' } = readFormFields(event.currentTarget)
    try {
      await acceptPasswordLink(secret, password)
      setState('done')
    } catch (thrown) {
      setError(thrown)
      setState('idle')
    }
  }

  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="text-ink-soft">
        {info.kind === 'invitation' ? m.signingIn_youHaveBeenInvitedChoose() : m.signingIn_chooseANewPasswordWherever()}
      </p>
      <Field id="email" label={m.signingIn_email()}>
        <Input id="email" type="email" value={info.email} readOnly autoComplete="username" />
      </Field>
      <NewPasswordField message={message} />
      {error && !message ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
      <Button type="submit" tone="primary" size="touch" aria-busy={state === 'busy' || undefined} className="w-full">
        {m.signingIn_setPassword()}
      </Button>
    </form>
  )
}
