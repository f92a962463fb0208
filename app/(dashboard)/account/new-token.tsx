'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { roleNames } from '@/lib/domain/roles'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { focusFirstInvalid, readFormFields } from '@/components/forms/form-elements'
import { LeaveGuard } from '@/components/forms/leave-guard'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Field, InputField } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { callDesk, CallError, isLost, retryAfterStepUp } from '@/lib/client/api-client'
import type { MadeApiToken, OwnApiTokens } from '@/lib/domain/api-tokens'
import * as m from '@/lib/messages/m'

/** The text of a new token: shown only now, for only a hash is stored. */
export function MadeToken({ made: { text, token }, onDone }: { made: MadeApiToken; onDone: () => void }) {
  const notice = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => notice.current?.focus(), [])
  const title = m.apiTokens_madeTitle({ name: token.name })
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-label={title}
      className="mx-5 mb-5 flex gap-3 rounded-lg border border-line bg-accent-soft p-4 max-md:mx-4 md:scroll-mt-20"
    >
      {isCopied ? null : <LeaveGuard loses="token" />}
      <KeyRound className="mt-0.5 size-4.5 shrink-0 text-accent-ink max-md:hidden" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="mt-1 text-ink-soft">{m.apiTokens_madeAbout()}</p>
        <p className="mt-3 flex items-center gap-1 rounded-md border border-line bg-surface px-3 py-2">
          <code data-token-text className="min-w-0 flex-1 text-[0.8125rem] break-all select-all">
            {text}
          </code>
          <CopyButton value={text} name={m.apiTokens_token()} onCopied={() => setCopied(true)} />
        </p>
        <Button size="small" className="mt-3" onClick={onDone}>
          {m.apiTokens_done()}
        </Button>
      </div>
    </section>
  )
}

type NewTokenProps = Pick<OwnApiTokens, 'roles' | 'lifetimes'> & {
  onMade: (made: MadeApiToken) => void
  onCancel: () => void
}

/** Makes a token with a name, a role that is no more than the person's own, and an end. */
export function NewToken({ roles, lifetimes, onMade, onCancel }: NewTokenProps) {
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: (body: object) => retryAfterStepUp(() => callDesk<MadeApiToken>('/tokens', { method: 'POST', body })),
    onSuccess: onMade,
    onError: () => {
      focusFirstInvalid(form.current)
      // It may have been made.
      return client.invalidateQueries({ queryKey: ['api-tokens'] })
    },
  })
  const reasons = make.error instanceof CallError ? make.error.problem?.errors?.name : undefined
  const error = reasons?.[0] ? `${m.apiTokens_name()} ${reasons[0]}` : null

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (make.isPending) return
    const { name = '', role, days } = readFormFields(event.currentTarget)
    make.mutate({ name, role, days: Number(days) })
  }

  return (
    <form ref={form} method="post" onSubmit={submit} className="grid gap-4">
      <HydratedFieldset name={m.apiTokens_makeTitle()}>
        <div className="max-w-md">
          <InputField
            id="token-name"
            label={m.apiTokens_name()}
            hint={m.apiTokens_nameHint()}
            error={error}
            name="name"
            ref={field}
            required
            maxLength={60}
            autoComplete="off"
          />
        </div>
        <div className="flex flex-wrap gap-4">
          <Field id="token-role" label={m.apiTokens_role()}>
            {/* The least that may be, so that more is chosen knowingly. */}
            <Select id="token-role" name="role" defaultValue={roles.at(-1)}>
              {roles.map((role) => (
                <option key={role} value={role}>
                  {roleNames[role].name()}
                </option>
              ))}
            </Select>
          </Field>
          <Field id="token-days" label={m.apiTokens_lifetime()}>
            <Select id="token-days" name="days" defaultValue={lifetimes.includes(30) ? 30 : lifetimes[0]}>
              {lifetimes.map((days) => (
                <option key={days} value={days}>
                  {m.apiTokens_days({ days })}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        {make.error && !error ? (
          <ProblemNotice
            problem={toProblemInfo(make.error)}
            doubt={isLost(make.error) ? m.apiTokens_mayHaveBeenMade() : null}
          />
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" tone="primary" reason={make.isPending ? m.account_requestIsOnItsWay() : null}>
            {m.apiTokens_make()}
          </Button>
          <Button onClick={onCancel}>{m.apiTokens_cancel()}</Button>
        </div>
      </HydratedFieldset>
    </form>
  )
}
