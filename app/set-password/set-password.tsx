'use client'

import { RichMessage } from '@/components/ui/rich-message'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { readFormFields } from '@/components/forms/form-elements'
import { AuthLayout } from '@/components/layout/auth-layout'
import { BrowserLanguageSwitch } from '@/components/layout/browser-language-switch'
import { NewPasswordField } from '@/components/sign-in/password-fields'
import { Button, buttonClasses } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { CallError, toCallError } from '@/lib/client/api-client'
import type { LinkInfo } from '@/lib/domain/accounts'
import { joinList } from '@/lib/language/join-list'
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

/** `isOver`: the link does not hold any more; else the page has none. */
function Dead({ isOver }: { isOver: boolean }) {
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

/** What the link is for. */
function Purpose({ info: { kind, madeBy, merchants } }: { info: LinkInfo }) {
  if (kind === 'reset') return m.signingIn_chooseANewPasswordWherever()
  if (merchants.length === 0) return m.signingIn_youHaveBeenInvitedChoose()
  const merchant = <UntrustedText>{joinList(merchants)}</UntrustedText>
  if (madeBy === null) return <RichMessage message={m.signingIn_invitedTo} parts={{ merchant }} />
  return <RichMessage message={m.mail_invitation} parts={{ merchant, by: <UntrustedText>{madeBy}</UntrustedText> }} />
}

type LinkedFormProps = { isDone: boolean; onDone: () => void }

function LinkedForm({ isDone, onDone }: LinkedFormProps) {
  const { link, retry } = useLink()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  if (!link) return <Skeleton className="h-40 w-full" />
  const { secret, info } = link
  if (!info) {
    const isOver = link.error instanceof CallError && ['not-found', 'bad-request'].includes(link.error.code)
    if (isOver || link.error === null) return <Dead isOver={isOver} />
    return <ProblemNotice problem={toProblemInfo(link.error)} onRetry={retry} />
  }
  if (isDone) return <Done email={info.email} />
  const problem = error instanceof CallError ? error : null
  const message = problem?.problem?.errors?.password?.[0]
  if (problem?.code === 'not-found') return <Dead isOver />

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    const { password = '' } = readFormFields(event.currentTarget)
    try {
      await acceptPasswordLink(secret, password)
      onDone()
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }

  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p className="text-ink-soft wrap-anywhere">
        <Purpose info={info} />
      </p>
      <Field id="email" label={m.signingIn_email()}>
        {/* For password managers, which read it; it looks like the text that it is. */}
        <Input
          id="email"
          type="email"
          value={info.email}
          readOnly
          autoComplete="username"
          className="h-auto w-full border-transparent bg-transparent px-0 font-medium hover:border-transparent max-md:h-auto"
        />
      </Field>
      <NewPasswordField message={message} />
      {error && !message ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
      <Button type="submit" tone="primary" size="touch" aria-busy={isBusy || undefined} className="w-full">
        {m.signingIn_setPassword()}
      </Button>
    </form>
  )
}

/** Where a one-time link leads: its owner sets the password. */
export function SetPassword() {
  const [isDone, setDone] = useState(false)
  const title = isDone ? m.signingIn_passwordSetTitle() : m.signingIn_setYourPassword()
  useEffect(() => {
    // The server wrote the title of the form.
    if (!isDone) return
    document.title = `${title} · ${m.shell_product()}`
    // Loaded again, this page would ask for its link, which is used up.
    window.history.replaceState(null, '', '/sign-in')
  }, [isDone, title])
  // Another language asks the server for the page at the address, which is another by then.
  return (
    <AuthLayout title={title} footer={isDone ? null : <BrowserLanguageSwitch />}>
      <LinkedForm isDone={isDone} onDone={() => setDone(true)} />
      <noscript>
        <p className="mt-4 text-[0.8125rem] text-ink-soft">{m.signingIn_debitdeskNeedsJavascriptForThis()}</p>
      </noscript>
    </AuthLayout>
  )
}
