'use client'

import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { callSecondFactor } from '@/lib/client/api-client'
import type { FactorProof, SecondFactors } from '@/lib/domain/second-factor'
import { focusFirstInvalid, readFormFields } from '../forms/form-elements'
import { Button } from '../ui/button'
import { describeField, Field, InputField } from '../ui/field'
import { FactorCodeField, readFactorProof } from './factor-fields'
import { PasswordInput } from './password-fields'
import { explainFactorError, provePasskey } from './prove-factor'
import { TopDialog, TopDialogButtons } from './top-dialog'
import * as m from '@/lib/messages/m'

/** Why it was refused, at the field that it is about. */
export type FactorRefusal = { password: string } | { code: string }

type FactorQuestionProps = {
  title: string
  description: string
  email: string
  /** Whether a code needs the password too. A passkey never does. */
  withPassword: boolean
  action: string
  /** Verifies both; null if they are right. */
  answer: (password: string, factor: FactorProof) => Promise<FactorRefusal | null>
  onLeave: () => void
}

/** Asks for the second factor of the page's user: a code, a recovery code or a passkey. */
export function FactorQuestion({ withPassword, answer, onLeave, ...question }: FactorQuestionProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const first = useRef<HTMLInputElement>(null)
  /** What is being tried. */
  const [running, setRunning] = useState<'passkey' | 'code' | null>(null)
  const [refusal, setRefusal] = useState<FactorRefusal | null>(null)
  const passwordError = refusal && 'password' in refusal ? refusal.password : null
  const codeError = refusal && 'code' in refusal ? refusal.code : null
  const [factors, setFactors] = useState<SecondFactors | null>(null)
  useEffect(() => {
    // Without the reply the code remains. Not by useQuery: the question is above the page's QueryClient.
    callSecondFactor<SecondFactors>('').then(setFactors, () => undefined)
  }, [])
  const hasPasskey = factors?.allowsPasskeys && factors.authenticators.some(({ kind }) => kind === 'passkey')

  async function give(
    kind: 'passkey' | 'code',
    prove: () => Promise<[password: string, factor: FactorProof]>,
  ): Promise<void> {
    if (running) return
    setRunning(kind)
    const reason = await prove()
      .then(([password, factor]) => answer(password, factor))
      .catch((thrown: unknown) => ({ code: explainFactorError(thrown) ?? m.signingInAgain_thatDoesNotWorkJust() }))
    setRunning(null)
    setRefusal(reason)
    if (reason !== null) focusFirstInvalid(form.current)
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { password = '', ...fields } = readFormFields(event.currentTarget)
    void give('code', async () => [password, readFactorProof(fields)])
  }

  return (
    <TopDialog title={question.title} description={question.description} onLeave={onLeave} initialFocus={first}>
      <form ref={form} method="post" onSubmit={submit}>
        <div className="grid gap-4 px-6 pt-4 max-md:px-4">
          <InputField
            id={`${id}-email`}
            label={m.signingInAgain_email()}
            ref={first}
            type="email"
            value={question.email}
            readOnly
            autoComplete="username"
            tabIndex={-1}
          />
          {hasPasskey ? (
            <Button
              aria-busy={running === 'passkey' || undefined}
              onClick={() => void give('passkey', async () => ['', await provePasskey()])}
            >
              <KeyRound className="size-4" />
              {m.secondFactor_usePasskey()}
            </Button>
          ) : null}
          {withPassword ? (
            <Field id={`${id}-password`} label={m.signingInAgain_password()} error={passwordError}>
              <PasswordInput
                id={`${id}-password`}
                name="password"
                required
                aria-invalid={passwordError ? true : undefined}
                aria-describedby={describeField(`${id}-password`, { error: passwordError })}
              />
            </Field>
          ) : null}
          <FactorCodeField id={`${id}-code`} error={codeError} />
          <p role="alert" className="sr-only">
            {passwordError ?? codeError}
          </p>
        </div>
        <TopDialogButtons>
          <Button onClick={onLeave}>{m.signingInAgain_notNow()}</Button>
          <Button type="submit" tone="primary" aria-busy={running === 'code' || undefined}>
            {question.action}
          </Button>
        </TopDialogButtons>
      </form>
    </TopDialog>
  )
}
