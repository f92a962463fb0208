'use client'

import { Menu } from '@base-ui/react/menu'
import { usePathname, useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Payment } from '@/lib/api-contract/payments'
import { withMerchantParam } from '@/lib/client/page-context'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'
import { explainNotCancellable } from '../cancellations/cancel-button'
import { openCancelDialog } from '../cancellations/row-cancellation'
import { copyValue, findRow } from '../data-table/grid-actions'
import { useAppConfig } from '../layout/app-config'
import { mergeClasses } from '../ui/merge-classes'
import { useCancellation } from '@/lib/client/cancellations'

/** Where the menu was asked for. `key` names the row, whose element may be reused for another one. */
export type MenuPlace = { key: string; payment: Payment; row: HTMLElement; x: number; y: number }

type RowMenuProps = { place: MenuPlace; mayCancel: boolean; onOpen: (() => void) | undefined; onClose: () => void }

const itemClasses =
  'flex min-h-9 cursor-default items-center rounded px-3 outline-none select-none data-highlighted:bg-sunken data-highlighted:[outline:2px_solid_var(--focus)] data-highlighted:-outline-offset-2 max-md:min-h-11'

/** What can be done with one payment of the list, at the pointer or at its row. */
export function RowMenu({ place: { key, payment, row, x, y }, mayCancel, onOpen, onClose }: RowMenuProps) {
  const router = useRouter()
  const [isOpen, setOpen] = useState(true)
  const { cancellable } = useAppConfig().states
  const view = useCancellation(payment.id)
  const { id, reference, handle, customer } = payment
  const canCancel = mayCancel && explainNotCancellable(payment, cancellable, view) === null
  const goTo = (path: string) => () => router.push(withMerchantParam(path))
  const page = buildPagePath('/payments', id)
  // On a customer's page, by id or handle, all payments are that customer's.
  const isCustomerPage = usePathname().startsWith('/customers/')
  const customerPage = isCustomerPage ? null : buildPagePath('/customers', customer?.id)
  const items: { label: string; run: () => void; isDanger?: boolean }[] = [
    ...(onOpen ? [{ label: m.rowMenu_open(), run: onOpen }] : []),
    ...(page ? [{ label: m.paymentDetails_openAsAPage(), run: goTo(page) }] : []),
    ...(customerPage ? [{ label: m.rowMenu_openCustomer(), run: goTo(customerPage) }] : []),
    ...(reference ? [{ label: m.rowMenu_copyReference(), run: () => void copyValue(reference) }] : []),
    ...(id ? [{ label: m.rowMenu_copyId(), run: () => void copyValue(id) }] : []),
    ...(canCancel
      ? [{ label: m.cancelButton_cancelPayment(), run: () => openCancelDialog(payment, row), isDanger: true }]
      : []),
  ]
  return (
    <Menu.Root open={isOpen} onOpenChange={setOpen} onOpenChangeComplete={(open) => (open ? undefined : onClose())}>
      {/* Within the page's landmark. */}
      <Menu.Portal container={document.getElementById('content')}>
        <Menu.Positioner
          anchor={{ getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }}
          side="bottom"
          align="start"
          className="z-40"
        >
          <Menu.Popup
            aria-label={m.rowMenu_of({ payment: reference || handle || id || m.payments_payment() })}
            finalFocus={() => findRow(key) ?? true}
            className="min-w-52 rounded-lg border border-line bg-raised p-1.5 text-ink shadow-panel outline-none"
          >
            {items.map(({ label, run, isDanger }) => (
              <Menu.Item key={label} onClick={run} className={mergeClasses(itemClasses, isDanger && 'text-negative')}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
