'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { toProblemInfo } from '@/components/feedback/problem-display'
import { ProblemNotice } from '@/components/feedback/problem-notice'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { useAppConfig } from '@/components/layout/app-config'
import { Checkbox, Select } from '@/components/ui/input'
import { callDesk } from '@/lib/client/api-client'
import { formatHour } from '@/lib/domain/dates/date'
import { type MerchantNotifications, type NotificationChoice, type NotificationKind } from '@/lib/domain/notifications'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

const labels: Record<NotificationKind, Message> = {
  'needs-person': m.account_tellNeedsPerson,
  rejected: m.account_tellRejected,
  chargeback: m.account_tellChargeback,
  'bulk-done': m.account_tellBulkDone,
  'export-ready': m.account_tellExportReady,
  'closing-today': m.account_tellClosing,
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

function apply(known: MerchantNotifications, { kind, isWanted, hour }: NotificationChoice): MerchantNotifications {
  const others = known.kinds.filter((one) => one !== kind)
  return { ...known, kinds: isWanted ? [...others, kind] : others, hour: hour ?? known.hour }
}

type MerchantProps = {
  merchant: MerchantNotifications
  zone: string
  onChoose: (choice: NotificationChoice) => void
}

/** What one merchant's notifications are. */
function MerchantChoices({ merchant: { connectionId, name, kinds, offered, hour }, zone, onChoose }: MerchantProps) {
  const { locale } = useAppConfig()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium wrap-anywhere">{name}</legend>
      {offered.map((kind) => {
        const isWanted = kinds.includes(kind)
        const isDigest = kind === 'closing-today'
        return (
          <div key={kind} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <label className="flex min-h-8 items-center gap-2">
              <Checkbox
                checked={isWanted}
                onChange={({ target }) =>
                  onChoose({ connectionId, kind, isWanted: target.checked, ...(isDigest && { hour }) })
                }
              />
              {labels[kind]()}
            </label>
            {isDigest ? (
              <span className="flex items-center gap-2">
                <span aria-hidden="true">{m.account_digestAt()}</span>
                <Select
                  aria-label={m.account_digestHour()}
                  value={hour}
                  disabled={!isWanted}
                  onChange={({ target }) =>
                    onChoose({ connectionId, kind, isWanted: true, hour: Number(target.value) })
                  }
                >
                  {hours.map((one) => (
                    <option key={one} value={one}>
                      {formatHour(one, locale)}
                    </option>
                  ))}
                </Select>
                <span className="text-[0.8125rem] text-ink-soft">{zone}</span>
              </span>
            ) : null}
          </div>
        )
      })}
    </fieldset>
  )
}

type NotificationsProps = {
  initial: readonly MerchantNotifications[]
  /** The business zone, in which the digest's hour is meant. */
  zone: string
}

/** What the person is told of by mail, per merchant. Each change is saved at once. */
export function Notifications({ initial, zone }: NotificationsProps) {
  const router = useRouter()
  const [saved, setSaved] = useState(initial)
  /** On their way, in the order in which they are sent. */
  const [pending, setPending] = useState<readonly NotificationChoice[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const { mutate, isSuccess } = useMutation({
    mutationFn: (body: NotificationChoice) =>
      callDesk<MerchantNotifications>('/notifications', { method: 'PUT', body }),
    scope: { id: 'notifications' },
    onSuccess: (reply) => {
      setSaved((all) => all.map((one) => (one.connectionId === reply.connectionId ? reply : one)))
      // After Back the page begins with what was saved.
      router.refresh()
    },
    onError: setFailure,
    onSettled: (_reply, _error, choice) => setPending((all) => all.filter((one) => one !== choice)),
  })

  function choose(choice: NotificationChoice): void {
    // A failure stays while others follow it.
    if (pending.length === 0) setFailure(null)
    setPending((all) => [...all, choice])
    mutate(choice)
  }

  return (
    <section
      id="notifications"
      aria-labelledby="notifications-heading"
      className="grid scroll-mt-20 gap-4 rounded-lg border border-line bg-surface p-5 max-md:p-4"
    >
      <div>
        <h2 id="notifications-heading" className="font-semibold">
          {m.account_notifications()}
        </h2>
        <p className="mt-1 text-[0.8125rem] text-ink-soft">{m.account_notificationsAbout()}</p>
      </div>
      <HydratedFieldset name={m.account_notifications()}>
        {saved.map((merchant) => {
          const own = pending.filter(({ connectionId }) => connectionId === merchant.connectionId)
          return (
            <MerchantChoices
              key={merchant.connectionId}
              merchant={own.reduce(apply, merchant)}
              zone={zone}
              onChoose={choose}
            />
          )
        })}
      </HydratedFieldset>
      <output className="block min-h-5 text-[0.8125rem] text-ink-soft">
        {isSuccess && !failure ? m.account_notificationsSaved() : null}
      </output>
      {failure ? <ProblemNotice problem={toProblemInfo(failure)} /> : null}
    </section>
  )
}
