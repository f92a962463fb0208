'use client'

import { useState } from 'react'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { showToast } from '@/components/feedback/toast-store'
import { Timestamp } from '@/components/records/dates'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { UntrustedText } from '@/components/ui/untrusted-text'
import type { ApiTokenView } from '@/lib/domain/api-tokens'
import { roleNames } from '@/lib/domain/roles'
import * as m from '@/lib/messages/m'

export const loadRevoke = async () => (await import('./revoke-tokens')).RevokeTokens

function Life({ token: { state, createdAt, expiresAt, lastUsedAt, revokedAt, revokedBy } }: { token: ApiTokenView }) {
  return (
    <p className="text-[0.8125rem] text-ink-soft">
      {m.apiTokens_created()} <Timestamp value={createdAt} />
      {' · '}
      {revokedAt ? (
        <>
          {revokedBy === null || revokedBy === 'desk'
            ? m.apiTokens_revokedByDesk()
            : m.apiTokens_revokedBy({ email: revokedBy })}{' '}
          <Timestamp value={revokedAt} />
        </>
      ) : (
        <>
          {state === 'expired' ? m.apiTokens_expired() : m.apiTokens_expires()} <Timestamp value={expiresAt} />
        </>
      )}
      {' · '}
      {lastUsedAt ? (
        <>
          {m.apiTokens_lastUsed()} <Timestamp value={lastUsedAt} />
        </>
      ) : (
        m.apiTokens_neverUsed()
      )}
    </p>
  )
}

function State({ state }: Pick<ApiTokenView, 'state'>) {
  if (state === 'valid') return null
  return <Badge>{state === 'expired' ? m.apiTokens_stateExpired() : m.apiTokens_stateRevoked()}</Badge>
}

type TokenListProps = {
  tokens: readonly ApiTokenView[]
  /** Whether they are of several people, who are named. */
  isTeam: boolean
  revoke: (id: string) => Promise<void>
  /** Called once a token is revoked: its button is gone, so the focus must go elsewhere. */
  onRevoked: () => void
}

/** API tokens, each of which can be revoked while it is valid. */
export function TokenList({ tokens, isTeam, revoke, onRevoked }: TokenListProps) {
  const [asked, setAsked] = useState<ApiTokenView | null>(null)
  const { part: RevokeDialog } = useAskedPart(asked !== null, loadRevoke, () => setAsked(null))

  async function run(): Promise<void> {
    if (!asked) return
    await revoke(asked.id)
    setAsked(null)
    onRevoked()
    showToast(m.apiTokens_revoked(), asked.name)
  }

  if (tokens.length === 0) return null
  return (
    <>
      <ul>
        {tokens.map((token) => {
          const { id, name, prefix, role, email, state } = token
          return (
            <li
              key={id}
              data-token={name}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-5 py-3 max-md:px-4"
            >
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                  <UntrustedText>{name}</UntrustedText>
                  <Badge>{roleNames[role].name()}</Badge>
                  <State state={state} />
                </p>
                <p className="text-[0.8125rem] wrap-anywhere">
                  {isTeam ? `${email} · ` : null}
                  <code>{prefix}…</code>
                </p>
                <Life token={token} />
              </div>
              {state === 'valid' ? (
                <Button
                  tone="quiet-danger"
                  aria-haspopup="dialog"
                  aria-label={isTeam ? m.apiTokens_revokeLabelOf({ name, email }) : m.apiTokens_revokeLabel({ name })}
                  onClick={() => setAsked(token)}
                >
                  {m.apiTokens_revoke()}
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
      {asked && RevokeDialog ? <RevokeDialog name={asked.name} run={run} onClose={() => setAsked(null)} /> : null}
    </>
  )
}
