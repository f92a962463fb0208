'use client'

import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { CallError, callSecondFactor, retryAfterStepUp } from '@/lib/client/api-client'
import type { AddedFactor, TotpSetup } from '@/lib/domain/second-factor'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { readFormFields } from '../forms/form-elements'
import { Button } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { InputField } from '../ui/field'
import { explainFactorError, PasskeyError } from './prove-factor'
import * as m from '@/lib/messages/m'

type AddFactorProps = { onAdded: (added: AddedFactor) => void }

type CreationOptions = Parameters<typeof import('@simplewebauthn/browser').startRegistration>[0]['optionsJSON']

function NameField({ id, usual }: { id: string; usual: string }) {
  const hint = m.secondFactor_nameHint()
  return (
    <InputField
      id={id}
      label={m.secondFactor_name()}
      hint={hint}
      name="name"
      defaultValue={usual}
      required
      maxLength={60}
      autoComplete="off"
    />
  )
}

/** Adds an authenticator app: a QR code to scan, then the app's first code. */
export function AddApp({ onAdded }: AddFactorProps) {
  const id = useId()
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const wrong = explainFactorError(error)
  // The button that asked for it is gone.
  useEffect(() => {
    if (setup) form.current?.focus()
  }, [setup])

  async function run(step: () => Promise<void>): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    await step().catch(setError)
    setBusy(false)
  }

  const begin = () =>
    run(async () => setSetup(await retryAfterStepUp(() => callSecondFactor<TotpSetup>('/totp', { method: 'POST' }))))

  function close(): void {
    setSetup(null)
    // The focused button disappears and the one that opened the form comes back.
    requestAnimationFrame(() => opener.current?.focus())
  }

  function cancel(): void {
    close()
    setError(null)
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const body = { ...readFormFields(event.currentTarget), authenticatorId: setup?.authenticatorId }
    void run(async () => {
      try {
        onAdded(await retryAfterStepUp(() => callSecondFactor<AddedFactor>('/totp', { method: 'PUT', body })))
      } catch (thrown) {
        // No code of this secret will be right any more.
        if (thrown instanceof CallError && thrown.code === 'conflict') close()
        throw thrown
      }
    })
  }

  if (!setup)
    return (
      <div className="grid gap-3">
        <Button ref={opener} aria-busy={busy || undefined} className="justify-self-start" onClick={() => void begin()}>
          {m.secondFactor_addApp()}
        </Button>
        {error ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
      </div>
    )
  return (
    <form
      ref={form}
      tabIndex={-1}
      method="post"
      onSubmit={submit}
      aria-label={m.secondFactor_addApp()}
      className="grid max-w-md gap-4"
    >
      <p>{m.secondFactor_scan()}</p>
      <svg
        role="img"
        aria-label={m.secondFactor_qrCode()}
        viewBox={`0 0 ${setup.qrCode.size} ${setup.qrCode.size}`}
        shapeRendering="crispEdges"
        className="size-48 rounded-md border border-line"
      >
        <rect width={setup.qrCode.size} height={setup.qrCode.size} fill="#fff" />
        <path d={setup.qrCode.path} fill="#000" />
      </svg>
      <p className="text-[0.8125rem] text-ink-soft">{m.secondFactor_orType()}</p>
      <p className="flex items-center gap-1 rounded-md border border-line bg-sunken px-3 py-2">
        <code data-secret className="min-w-0 flex-1 text-[0.8125rem] break-all select-all">
          {setup.secret}
        </code>
        <CopyButton value={setup.secret} name={m.secondFactor_secret()} />
      </p>
      <NameField id={`${id}-name`} usual={m.secondFactor_usualAppName()} />
      <InputField
        id={`${id}-code`}
        label={m.secondFactor_code()}
        error={wrong}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={20}
      />
      <p role="alert" className="sr-only">
        {wrong}
      </p>
      {error && wrong === null ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" aria-busy={busy || undefined}>
          {m.secondFactor_confirmApp()}
        </Button>
        <Button onClick={cancel}>{m.secondFactor_cancel()}</Button>
      </div>
    </form>
  )
}

/** Adds a passkey of this device or of a security key. With `onCancel` the form was asked for, and can be left. */
export function AddPasskey({ onAdded, onCancel }: AddFactorProps & { onCancel?: () => void }) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const isAsked = onCancel !== undefined
  // The button that asked for it is gone.
  useEffect(() => {
    if (isAsked) form.current?.querySelector('input')?.focus()
  }, [isAsked])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const reason = error === null ? null : (explainFactorError(error) ?? null)

  // Whoever leaves has not added it, whatever the device still confirms.
  const ceremony = useRef<AbortController>(null)
  useEffect(() => () => ceremony.current?.abort(), [])

  async function add(name: string, signal: AbortSignal): Promise<void> {
    const options = await retryAfterStepUp(() => callSecondFactor<CreationOptions>('/passkeys', { method: 'POST' }))
    const { startRegistration, WebAuthnAbortService } = await import('@simplewebauthn/browser')
    signal.throwIfAborted()
    signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
    const response = await startRegistration({ optionsJSON: options }).catch((cause: unknown) => {
      throw new PasskeyError(m.secondFactor_passkeyNotUsed(), { cause })
    })
    signal.throwIfAborted()
    const body = { name, response }
    onAdded(await retryAfterStepUp(() => callSecondFactor<AddedFactor>('/passkeys', { method: 'PUT', body })))
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(null)
    const { name = '' } = readFormFields(event.currentTarget)
    ceremony.current = new AbortController()
    add(name, ceremony.current.signal)
      .catch(setError)
      .finally(() => setBusy(false))
  }

  return (
    <form
      ref={form}
      method="post"
      onSubmit={submit}
      aria-label={m.secondFactor_addPasskey()}
      className="grid max-w-md gap-4"
    >
      <NameField id={`${id}-name`} usual={m.secondFactor_usualPasskeyName()} />
      {reason ? (
        <p role="alert" className="text-[0.8125rem] font-medium text-negative">
          {reason}
        </p>
      ) : error instanceof CallError ? (
        <ProblemNotice problem={toProblemInfo(error)} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-busy={busy || undefined}>
          {m.secondFactor_addPasskey()}
        </Button>
        {onCancel ? <Button onClick={onCancel}>{m.secondFactor_cancel()}</Button> : null}
      </div>
    </form>
  )
}

/** New recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const section = useRef<HTMLElement>(null)
  // What was pressed may be gone, and what is shown only once must not be missed.
  useLayoutEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={m.secondFactor_recoveryCodes()}
      className="rounded-lg border border-line bg-accent-soft p-4"
    >
      <p className="font-semibold">{m.secondFactor_recoveryCodes()}</p>
      <p className="mt-1 text-ink-soft">{m.secondFactor_recoveryAbout()}</p>
      <ul
        data-recovery-codes=""
        className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-[0.8125rem] max-md:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button tone="primary" onClick={onDone}>
          {m.secondFactor_savedCodes()}
        </Button>
        <CopyButton value={codes.join('\n')} name={m.secondFactor_recoveryCodes()} />
      </div>
    </section>
  )
}
