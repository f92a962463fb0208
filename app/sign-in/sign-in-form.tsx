'use client'

import { type FormEvent, useRef, useState } from 'react'
import { PasswordInput } from '@/components/sign-in/password-input'
import { trySignIn } from '@/components/sign-in/try-sign-in'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { readFields } from '@/lib/browser/read-fields'
import { useInBrowser } from '@/lib/browser/use-in-browser'
import * as words from '@/lib/words/signing-in'

/**
 * E-mail and password. Uncontrolled, so that password managers may fill it in before React runs; it
 * posts and never gets, so that no password can end in an address. `destination` is a path of this desk.
 */
export function SignInForm({ destination, refused }: { destination: string; refused: boolean }) {
  const inBrowser = useInBrowser()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(refused ? words.emailOrPasswordIsNot : null)
  const form = useRef<HTMLFormElement>(null)
  // Of too many attempts, or of a desk that is away, no field is to blame.
  const isWrong = error === words.emailOrPasswordIsNot ? true : undefined

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    const reason = await trySignIn(readFields(event.currentTarget))
    if (reason === null) {
      window.location.assign(destination)
      return
    }
    setError(reason)
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
          {error}
        </p>
      ) : null}
      <input type="hidden" name="callbackUrl" value={destination} />
      <Field id="email" label={words.email}>
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
      <Field id="password" label={words.password}>
        <PasswordInput id="password" name="password" required aria-invalid={isWrong} />
      </Field>
      <Button
        type="submit"
        tone="primary"
        size="touch"
        // Before React runs a click would post without the token and come back empty-handed.
        disabled={!inBrowser}
        aria-busy={busy || undefined}
        className="mt-2 w-full"
      >
        {words.signIn}
      </Button>
    </form>
  )
}
