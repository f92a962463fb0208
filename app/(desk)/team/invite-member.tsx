'use client'

import { type FormEvent, useRef, useState } from 'react'
import { UntilReady } from '@/components/form/until-ready'
import { ProblemNotice } from '@/components/problem-notice'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { CallError } from '@/lib/browser/call-error'
import { readFields } from '@/lib/browser/read-fields'
import { readProblemFacts } from '@/lib/browser/problem-facts'
import { type Role, roles } from '@/lib/contract/permission'
import type { Invitation } from '@/lib/contract/team'
import * as words from '@/lib/words/team'
import { roleNames } from './role-names'
import type { MadeLink } from './team-page'
import { useTeamChange } from './use-team'

function readEmailError(error: unknown): string | null {
  const isWrong = error instanceof CallError && error.problem?.errors?.email !== undefined
  return isWrong ? words.thisIsNotAnEmail : null
}

/** Takes somebody into the team; they set their own password by a link. */
export function InviteMember({ onInvited }: { onInvited: (made: MadeLink) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState<Role>('support')
  const invite = useTeamChange<Invitation>()
  const fieldError = readEmailError(invite.error)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (invite.isPending) return
    const { email = '' } = readFields(event.currentTarget)
    invite.mutate(
      { path: '/team', method: 'POST', body: { email, role } },
      {
        onSuccess: ({ link }) => {
          onInvited({ email, link })
          if (field.current) field.current.value = ''
        },
        onError: () => field.current?.focus(),
      },
    )
  }

  return (
    <section aria-labelledby="invite" className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
      <h2 id="invite" className="font-semibold">
        {words.inviteSomebody}
      </h2>
      <form method="post" onSubmit={submit} className="mt-3 flex flex-wrap items-start gap-3">
        <UntilReady name={words.inviteSomebody}>
          <div className="min-w-0 flex-1 basis-72">
            <Field id="invite-email" label={words.email} error={fieldError}>
              <Input
                id="invite-email"
                name="email"
                ref={field}
                type="email"
                required
                maxLength={320}
                autoComplete="off"
                aria-invalid={fieldError ? true : undefined}
                aria-describedby={describeField('invite-email', { error: fieldError })}
              />
            </Field>
          </div>
          <div className="max-md:w-full">
            <Field id="invite-role" label={words.role}>
              <Select
                id="invite-role"
                value={role}
                onChange={(event) => setRole(roles.find((one) => one === event.target.value) ?? 'viewer')}
              >
                {roles.map((one) => (
                  <option key={one} value={one}>
                    {roleNames[one].name}: {roleNames[one].about}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Button
            type="submit"
            tone="primary"
            className="md:mt-6.5 max-md:w-full"
            reason={invite.isPending ? words.requestIsOnItsWay : null}
          >
            {words.makeInvitation}
          </Button>
        </UntilReady>
      </form>
      {invite.error && !fieldError ? (
        <div className="mt-4">
          <ProblemNotice facts={readProblemFacts(invite.error)} />
        </div>
      ) : null}
    </section>
  )
}
