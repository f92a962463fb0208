'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { useLoaded } from '@/components/use-loaded'
import type { Proofs } from '@/lib/contract/ability'
import type { Customer } from '@/lib/contract/customers'
import * as words from '@/lib/words/customer'

const loadDialog = async () => (await import('./delete-customer')).DeleteCustomer

/** "Delete customer", with its dialog, whose code is fetched when it is wanted. */
export function DeleteCustomerButton(props: { customer: Customer & { id: string }; proofs: Proofs }) {
  const [open, setOpen] = useState(false)
  const { part: Dialog, failed } = useLoaded(open, loadDialog)
  return (
    <>
      <Button tone="quiet-danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {words.deleteCustomer}
      </Button>
      {failed ? <p role="alert">{words.dialogCouldNotBeLoaded}</p> : null}
      {open && Dialog ? <Dialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
