'use client'

import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Button } from '@/components/ui/button'
import { callDesk } from '@/lib/browser/call'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import * as words from '@/lib/words/merchants'
import { ConnectionForm } from '../connection-form'
import type { TypedConnection } from '../typed-connection'
import { TestMerchant } from './test-merchant'

type EditMerchantProps = { name: string; initial: TypedConnection; hasSecret: boolean }

/** The connection's form, a test of what is stored, and the way out. */
export function EditMerchant({ name, initial, hasSecret }: EditMerchantProps) {
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      <ConnectionForm
        initial={initial}
        hasSecret={hasSecret}
        action={words.save}
        send={(body) => callDesk('/merchants/current', { method: 'PUT', body })}
        onDone={() => window.location.reload()}
      />
      <div className="flex max-w-2xl flex-wrap items-start gap-2 border-t border-line px-4 py-6 md:mx-8 md:px-0">
        <TestMerchant />
        <Button tone="danger" onClick={() => setRemoving(true)}>
          {words.disconnectMerchant}
        </Button>
      </div>
      {isRemoving ? (
        <ConfirmDialog
          title={words.disconnect(name)}
          typed={{ label: words.name, anyOf: [name] }}
          action={words.disconnectMerchant}
          keep={words.keepMerchant}
          run={async () => {
            await callAgainWhenProven(() => callDesk('/merchants/current', { method: 'DELETE' }))
            window.location.assign('/')
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{words.nobodyReachesThisMerchant}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
