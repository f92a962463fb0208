'use client'

import { type FormEvent, useRef, useState } from 'react'
import { readFormFields } from '@/components/forms/form-elements'
import { PasswordInput } from '@/components/sign-in/password-fields'
import { explainRefusal, trySignIn } from '@/components/sign-in/try-sign-in'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useHydrated } from '@/lib/client/page-lifecycle'
import { postAuth } from '@/lib/client/post-auth'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

type ProviderButtonProps = {
  /** The provider's name. */
  name: string
  destination: string
  /** Forces the provider to ask for credentials. */
  anew?: boolean
}

/** Redirects to the provider's sign-in page, and back to `destination`. */
export function ProviderButton({ name, destination, anew = false }: ProviderButtonProps) {
  const inBrowser = useHydrated()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Message | null>(null)

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
    // A form that next-auth refuses, for its CSRF token, says nothing of the provider.
    const isRefused = !response?.ok || url?.endsWith('?csrf=true')
    const reason = isRefused ? explainRefusal(response) : () => m.signingIn_cannotBeReachedJustNow({ name })
    setError(() => reason)
  }

  return (
    <div className="flex flex-col gap-3">
      {error ? (
        <p
          role="alert"
          className="rounded-md border border-negative/30 bg-negative-soft px-3 py-2 font-medium text-negative"
        >
          {error()}
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
        {m.signingIn_signInWith({ name })}
      </Button>
    </div>
  )
}

/**
 * E-mail and password. Uncontrolled, so that password managers may fill it before hydration; `method="post"`, so that
 * no password can end in a URL. `destination` is an internal path.
 */
export function SignInForm({ destination, refused }: { destination: string; refused: boolean }) {
  const inBrowser = useHydrated()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Message | null>(() => (refused ? m.signingIn_emailOrPasswordIsNot : null))
  const form = useRef<HTMLFormElement>(null)
  // For too many attempts or an unreachable server no field is to blame.
  const isWrong = error === m.signingIn_emailOrPasswordIsNot ? true : undefined

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const reason = await trySignIn(readFormFields(event.currentTarget))
    if (reason === null) {
      window.location.assign(destination)
      return
    }
    setError(() => reason)
    setBusy(false)
    const password = form.current?.querySelector<HTMLInputElement>('#password')
    password?.focus()
    password?.select()
  }

  return (
    <form
      ref={form}
      method="post"
      action="/api/auth/callback/credentials"
      onSubmit={submit}
      className="flex flex-col gap-4"
    >
      {error ? (
        <p
          id="refusal"
          role="alert"
          className="rounded-md border border-negative/30 bg-negative-soft px-3 py-2 font-medium text-negative"
        >
          {error()}
        </p>
      ) : null}
      <input type="hidden" name="callbackUrl" value={destination} />
      <Field id="email" label={m.signingIn_email()}>
        <Input
          id="email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has this one purpose, and its first field is its beginning
          autoFocus
          required
          maxLength={320}
          aria-invalid={isWrong}
          aria-describedby={error ? 'refusal' : undefined}
          className="w-full"
        />
      </Field>
      <Field id="password" label={m.signingIn_password()}>
        <PasswordInput id="password" name="password" required aria-invalid={isWrong} />
      </Field>
      <Button
        type="submit"
        tone="primary"
        size="touch"
        // A click before hydration would post without the CSRF token and return empty-handed.
        disabled={!inBrowser}
        aria-busy={busy || undefined}
        className="mt-2 w-full"
      >
        {m.signingIn_signIn()}
      </Button>
    </form>
  )
}
