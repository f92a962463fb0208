'use client'

import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { formatMessage, matchProblemErrors } from '@/components/forms/field-messages'
import { readFormFields } from '@/components/forms/form-elements'
import { Timestamp } from '@/components/records/dates'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Field, InputField } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { type Role, roles } from '@/lib/api-contract/permission'
import { CallError, isLost } from '@/lib/client/api-client'
import type { Invitation, Team } from '@/lib/domain/accounts'
import { roleNames } from '@/lib/domain/roles'
import type { TeamApiTokens } from '@/lib/domain/api-tokens'
import { TeamTokens } from './team-tokens'
import { FactorRule } from './factor-rule'
import { type MadeLink, MemberRow } from './member-row'
import { useTeam, useTeamChange } from './use-team'
import * as m from '@/lib/messages/m'

/** A new link: shown only now, for only a hash is stored, or, where mail is set, to whom it was sent. */
export function LinkNotice({ made: { email, link }, onDone }: { made: MadeLink; onDone: () => void }) {
  const notice = useRef<HTMLElement>(null)
  // The button that created it may be far below, out of view on a phone.
  useEffect(() => notice.current?.focus(), [])
  const title = link && (link.address === null ? m.team_linkSentTo({ email }) : m.team_linkFor({ email }))
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-label={title ?? email}
      className="flex gap-3 md:scroll-mt-20 rounded-lg border border-line bg-accent-soft p-4"
    >
      <KeyRound className="mt-0.5 size-4.5 text-accent-ink" />
      <div className="min-w-0 flex-1">
        {link ? (
          <>
            <p className="font-semibold wrap-anywhere">{title}</p>
            <p className="mt-1 text-ink-soft">
              {link.address === null ? m.team_linkGoesToOwner() : m.team_sendItYourself()}{' '}
              <Timestamp value={link.expiresAt} />.
            </p>
            {link.address === null ? null : (
              <p className="mt-3 flex items-center gap-1 rounded-md border border-line bg-surface px-3 py-2">
                <span data-link className="min-w-0 flex-1 text-[0.8125rem] break-all select-all">
                  {link.address}
                </span>
                <CopyButton value={link.address} name={m.team_linkName()} />
              </p>
            )}
          </>
        ) : (
          <p className="wrap-anywhere">
            <span className="font-semibold">{email}</span> {m.team_isInTheTeamNow()}
          </p>
        )}
        <Button size="small" className="mt-3" onClick={onDone}>
          {m.team_done()}
        </Button>
      </div>
    </section>
  )
}

/** What is wrong with the address before it is sent; null where only the server can say. */
function findEmailError({ value, validity }: HTMLInputElement): string | null {
  if (value.trim() === '') return m.contractFields_mustNotBeEmpty()
  return validity.typeMismatch ? m.fields_mustBeAnEmailAddress() : null
}

function getEmailError(error: unknown): string | null {
  const { messages } = matchProblemErrors(error instanceof CallError ? error.problem?.errors : null, ['email'])
  return messages.email ?? null
}

/** Why nobody of this address can be invited, in sentences; null for other errors. */
function getRefusal(error: unknown): string | null {
  if (!(error instanceof CallError)) return null
  if (error.code === 'in-team') return `${error.message} ${m.team_linkForMember({ button: m.team_passwordLink() })}`
  return error.code === 'shared-account' ? error.message : null
}

/** Invites a member, who sets their password through a link. */
export function InviteMember({ onInvited }: { onInvited: (made: MadeLink) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [role, setRole] = useState<Role>('support')
  const invite = useTeamChange<Invitation>()
  const [typedError, setTypedError] = useState<string | null>(null)
  const wrongEmail = typedError ?? getEmailError(invite.error) ?? undefined
  const fieldError = formatMessage(m.team_email(), wrongEmail) ?? getRefusal(invite.error)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (invite.isPending) return
    const wrong = field.current && findEmailError(field.current)
    setTypedError(wrong)
    if (wrong) {
      invite.reset()
      field.current?.focus()
      return
    }
    const { email = '' } = readFormFields(event.currentTarget)
    invite.mutate(
      { path: '/team', method: 'POST', body: { email, role } },
      {
        onSuccess: ({ link }) => {
          onInvited({ email, link })
          // The next address may have been begun.
          if (field.current?.value.trim() === email.trim()) field.current.value = ''
        },
        onError: () => field.current?.focus(),
      },
    )
  }

  return (
    <section aria-labelledby="invite" className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
      <h2 id="invite" className="font-semibold">
        {m.team_inviteSomebody()}
      </h2>
      <form method="post" noValidate onSubmit={submit} className="mt-3 flex flex-wrap items-start gap-3">
        <HydratedFieldset name={m.team_inviteSomebody()}>
          <div className="min-w-0 flex-1 basis-72">
            <InputField
              id="invite-email"
              label={m.team_email()}
              error={fieldError}
              name="email"
              ref={field}
              type="email"
              maxLength={320}
              autoComplete="off"
              aria-required="true"
            />
            <p role="alert" className="sr-only">
              {fieldError}
            </p>
          </div>
          <div className="max-md:w-full">
            <Field id="invite-role" label={m.team_role()}>
              <Select
                id="invite-role"
                value={role}
                onChange={(event) => setRole(roles.find((one) => one === event.target.value) ?? 'viewer')}
              >
                {roles.map((one) => (
                  <option key={one} value={one}>
                    {roleNames[one].name()}: {roleNames[one].about()}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Button
            type="submit"
            tone="primary"
            className="md:mt-6.5 max-md:w-full"
            reason={invite.isPending ? m.team_requestIsOnItsWay() : null}
          >
            {m.team_makeInvitation()}
          </Button>
        </HydratedFieldset>
      </form>
      {invite.error && !fieldError ? (
        <div className="mt-4">
          <ProblemNotice
            problem={toProblemInfo(invite.error)}
            doubt={isLost(invite.error) ? m.team_mayBeInvited({ button: m.team_passwordLink() }) : null}
          />
        </div>
      ) : null}
    </section>
  )
}

type TeamPageProps = { initialTeam: Team; initialTokens: TeamApiTokens; userId: string }

/** All members and an admin's actions. */
export function TeamPage({ initialTeam, initialTokens, userId }: TeamPageProps) {
  const { members, factorRoles } = useTeam(initialTeam)
  const [made, setMade] = useState<readonly MadeLink[]>([])
  const membersSection = useRef<HTMLElement>(null)
  // A link is shown only now: it stays until somebody says that it was passed on, or a newer one takes its place.
  const show = (link: MadeLink) =>
    setMade((all) => [link, ...all.filter((one) => one.link?.address && one.email !== link.email)])
  return (
    <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-12 md:px-8">
      {made.map((one) => (
        <LinkNotice
          key={one.link?.address ?? `${one.email} ${one.link?.expiresAt}`}
          made={one}
          onDone={() => {
            setMade((all) => all.filter((other) => other !== one))
            membersSection.current?.focus()
          }}
        />
      ))}
      <section
        ref={membersSection}
        tabIndex={-1}
        aria-label={m.team_members()}
        className="rounded-lg border border-line bg-surface"
      >
        <ul>
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              isSelf={member.userId === userId}
              isFactorDue={factorRoles.includes(member.role)}
              onLink={show}
            />
          ))}
        </ul>
      </section>
      <InviteMember onInvited={show} />
      <TeamTokens initialTokens={initialTokens} />
      <FactorRule required={factorRoles} />
    </div>
  )
}
