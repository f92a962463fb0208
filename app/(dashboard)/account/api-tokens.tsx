'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useAskedPart } from '@/components/feedback/use-asked-part'
import { loadRevoke, TokenList } from '@/components/api-tokens/token-list'
import { showToast } from '@/components/feedback/toast-store'
import { Button } from '@/components/ui/button'
import { callDesk } from '@/lib/client/api-client'
import type { MadeApiToken, OwnApiTokens } from '@/lib/domain/api-tokens'
import { MadeToken, NewToken } from './new-token'
import * as m from '@/lib/messages/m'

const queryKey = ['api-tokens']

/** The user's own API tokens for the merchant. */
export function ApiTokens({ initialTokens }: { initialTokens: OwnApiTokens }) {
  const client = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<readonly MadeApiToken[]>([])
  const [isRevokingAll, setRevokingAll] = useState(false)
  const { part: RevokeDialog } = useAskedPart(isRevokingAll, loadRevoke, () => setRevokingAll(false))
  const { data } = useQuery({
    queryKey,
    queryFn: () => callDesk<OwnApiTokens>('/tokens'),
    initialData: initialTokens,
    // After Back it is what the page began with.
    initialDataUpdatedAt: 0,
    staleTime: 10_000,
  })
  const { tokens, roles, lifetimes, isImpossible } = data
  const focusHeading = () => heading.current?.focus()

  async function revoke(path: '/tokens' | `/tokens/${string}`): Promise<void> {
    const left = await callDesk<OwnApiTokens>(path, { method: 'DELETE' })
    // A read that started before must not overwrite it.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, left)
    const valid = new Set(left.tokens.filter(({ state }) => state === 'valid').map(({ id }) => id))
    setMade((all) => all.filter(({ token }) => valid.has(token.id)))
  }

  async function revokeAll(): Promise<void> {
    await revoke('/tokens')
    setRevokingAll(false)
    focusHeading()
    showToast(m.apiTokens_allRevoked(), '', { isBrief: true })
  }

  function onMade(token: MadeApiToken): void {
    setMaking(false)
    setMade((all) => [token, ...all])
    void client.invalidateQueries({ queryKey })
  }

  return (
    <section aria-labelledby="api-tokens" className="rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-start justify-between gap-3 p-5 max-md:px-4">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id="api-tokens" ref={heading} tabIndex={-1} className="font-semibold">
            {m.apiTokens_title()}
          </h2>
          <p className="mt-0.5 text-ink-soft">
            {isImpossible
              ? m.apiTokens_impossibleHere()
              : `${m.apiTokens_about()} ${m.apiTokens_keptOnPasswordChange()}`}
          </p>
        </div>
        {tokens.filter(({ state }) => state === 'valid').length > 1 ? (
          <Button tone="quiet-danger" aria-haspopup="dialog" onClick={() => setRevokingAll(true)}>
            {m.apiTokens_revokeAll()}
          </Button>
        ) : null}
      </div>
      {made.map((one) => (
        <MadeToken
          key={one.token.id}
          made={one}
          onDone={() => {
            setMade((all) => all.filter((other) => other !== one))
            focusHeading()
          }}
        />
      ))}
      <TokenList tokens={tokens} isTeam={false} revoke={(id) => revoke(`/tokens/${id}`)} onRevoked={focusHeading} />
      {isImpossible ? null : (
        <div className="border-t border-line p-5 max-md:px-4">
          {isMaking ? (
            <NewToken
              roles={roles}
              lifetimes={lifetimes}
              onMade={onMade}
              onCancel={() => {
                setMaking(false)
                focusHeading()
              }}
            />
          ) : (
            <Button onClick={() => setMaking(true)}>{m.apiTokens_make()}</Button>
          )}
        </div>
      )}
      {isRevokingAll && RevokeDialog ? (
        <RevokeDialog name={null} run={revokeAll} onClose={() => setRevokingAll(false)} />
      ) : null}
    </section>
  )
}
