'use client'

import { callDesk } from '@/lib/client/api-client'
import { showToastAfterLoad } from '@/components/feedback/toast-store'
import { ConnectionForm } from '@/components/merchants/connection-form'
import * as m from '@/lib/messages/m'

/** Connects a merchant and opens it with a full page load, because everything in memory belongs to the current one. */
export function NewMerchant() {
  return (
    <ConnectionForm
      hasSecret={false}
      repeat="same-key"
      action={m.merchants_connectMerchant()}
      send={(body, key) =>
        callDesk<{ merchant: string }>('/merchants', { method: 'POST', body, headers: { 'idempotency-key': key } })
      }
      onDone={(reply) => {
        const { merchant } = reply as { merchant: string }
        showToastAfterLoad(m.merchants_connected())
        window.location.assign(`/?merchant=${encodeURIComponent(merchant)}`)
      }}
    />
  )
}
