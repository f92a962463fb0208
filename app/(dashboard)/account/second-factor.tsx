'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { showToast } from '@/components/feedback/toast-store'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { Timestamp } from '@/components/records/dates'
import { AddApp, AddPasskey, RecoveryCodes } from '@/components/sign-in/add-factor'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { callSecondFactor } from '@/lib/client/api-client'
import type { AddedFactor, Authenticator, SecondFactors } from '@/lib/domain/second-factor'
import * as m from '@/lib/messages/m'

const queryKey = ['second-factors']

const loadRemoval = async () => (await import('./remove-factor')).RemoveFactor
const loadRenewal = async () => (await import('./renew-recovery-codes')).RenewRecoveryCodes

type FactorProps = { factor: Authenticator; reason: string | null; onRemove: () => void }

function Factor({ factor: { kind, name, createdAt, lastUsedAt }, reason, onRemove }: FactorProps) {
  return (
    <li
      data-factor={kind}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-5 py-3 max-md:px-4"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <UntrustedText>{name}</UntrustedText>
          <Badge>{kind === 'totp' ? m.secondFactor_app() : m.secondFactor_passkey()}</Badge>
        </p>
        <p className="text-[0.8125rem] text-ink-soft">
          {m.secondFactor_added()} <Timestamp value={createdAt} />
          {lastUsedAt ? (
            <>
              {' · '}
              {m.secondFactor_lastUsed()} <Timestamp value={lastUsedAt} />
            </>
          ) : null}
        </p>
      </div>
      <Button
        aria-haspopup="dialog"
        aria-label={m.secondFactor_removeLabel({ name })}
        reason={reason}
        onClick={onRemove}
      >
        {m.secondFactor_remove()}
      </Button>
    </li>
  )
}

type SecondFactorProps = { initialFactors: SecondFactors; hasPassword: boolean }

/** The user's apps, passkeys and recovery codes. `hasPassword` as in RemoveFactor. */
export function SecondFactor({ initialFactors, hasPassword }: SecondFactorProps) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const passkeyOpener = useRef<HTMLButtonElement>(null)
  const [isAddingPasskey, setAddingPasskey] = useState(false)
  const [addedApps, setAddedApps] = useState(0)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { data: factors } = useQuery({
    queryKey,
    queryFn: () => callSecondFactor<SecondFactors>(''),
    initialData: initialFactors,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: 10_000,
  })
  const { authenticators, recoveryCodes, isRequired, allowsPasskeys } = factors
  const [removing, setRemoving] = useState<Authenticator | null>(null)
  const [isRenewing, setRenewing] = useState(false)
  const { part: RemovalDialog } = useAskedPart(removing !== null, loadRemoval, () => setRemoving(null))
  const { part: RenewalDialog } = useAskedPart(isRenewing, loadRenewal, () => setRenewing(false))

  /** With a factor or the codes, other sign-ins end. */
  function refresh(): void {
    for (const key of [queryKey, ['sessions']]) void client.invalidateQueries({ queryKey: key })
  }

  function onAdded(added: AddedFactor): void {
    // Those on the page, which are shown only once, are still to be saved.
    if (added.recoveryCodes) setCodes(added.recoveryCodes)
    heading.current?.focus()
    if (!added.recoveryCodes) showToast(m.secondFactor_isAdded(), '', { isBrief: true })
    refresh()
  }

  const isOnly = authenticators.length === 1
  const reason = isOnly && isRequired ? m.secondFactor_isRequired() : null
  return (
    <section aria-labelledby="second-factor" className="rounded-lg border border-line bg-surface">
      <div className="p-5 max-md:px-4">
        <h2 id="second-factor" ref={heading} tabIndex={-1} className="font-semibold">
          {m.secondFactor_title()}
        </h2>
        <p className="mt-0.5 text-ink-soft">
          {authenticators.length === 0 ? m.secondFactor_aboutNone() : m.secondFactor_aboutOwn()}
        </p>
      </div>
      {codes ? (
        <div className="px-5 pb-5 max-md:px-4">
          <RecoveryCodes
            key={codes[0]}
            codes={codes}
            onDone={() => {
              setCodes(null)
              heading.current?.focus()
            }}
          />
        </div>
      ) : null}
      {authenticators.length > 0 ? (
        <ul>
          {authenticators.map((factor) => (
            <Factor key={factor.authenticatorId} factor={factor} reason={reason} onRemove={() => setRemoving(factor)} />
          ))}
        </ul>
      ) : null}
      {authenticators.length > 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 max-md:px-4">
          <p>{m.secondFactor_codesLeft({ count: recoveryCodes })}</p>
          <Button aria-haspopup="dialog" onClick={() => setRenewing(true)}>
            {m.secondFactor_renewCodes()}
          </Button>
        </div>
      ) : null}
      <div className="grid gap-4 border-t border-line p-5 max-md:px-4">
        <AddApp
          key={addedApps}
          onAdded={(added) => {
            setAddedApps(addedApps + 1)
            onAdded(added)
          }}
        />
        {allowsPasskeys ? (
          isAddingPasskey ? (
            <AddPasskey
              onAdded={(added) => {
                setAddingPasskey(false)
                onAdded(added)
              }}
              onCancel={() => {
                setAddingPasskey(false)
                // The focused form disappears and its button comes back.
                requestAnimationFrame(() => passkeyOpener.current?.focus())
              }}
            />
          ) : (
            <Button ref={passkeyOpener} className="justify-self-start" onClick={() => setAddingPasskey(true)}>
              {m.secondFactor_addPasskey()}
            </Button>
          )
        ) : (
          <p className="text-[0.8125rem] text-ink-soft">{m.secondFactor_noPasskeysHere()}</p>
        )}
      </div>
      {removing && RemovalDialog ? (
        <RemovalDialog
          factor={removing}
          isLast={isOnly}
          hasPassword={hasPassword}
          onRemoved={() => {
            setRemoving(null)
            showToast(m.secondFactor_removed(), '', { isBrief: true })
            refresh()
          }}
          onClose={() => setRemoving(null)}
          focusAfter={() => heading.current}
        />
      ) : null}
      {isRenewing && RenewalDialog ? (
        <RenewalDialog
          onMade={(made) => {
            setRenewing(false)
            setCodes(made)
            refresh()
          }}
          onClose={() => setRenewing(false)}
        />
      ) : null}
    </section>
  )
}
