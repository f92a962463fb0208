'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { tellDone } from '@/components/notices/tell-done'
import { useEndpointForm } from '@/components/form/use-endpoint-form'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { call } from '@/lib/browser/call'
import { CallError } from '@/lib/browser/call-error'
import { planCustomerUpdate, readIntactCustomer } from '@/lib/browser/plan-customer-update'
import { customerFields, type TypedCustomer } from '@/lib/contract/customer-fields'
import { type Customer, customerUpdate } from '@/lib/contract/customers'
import * as words from '@/lib/words/customer-forms'
import { CustomerForm } from '../../customer-form'

type EditCustomerProps = { idOrHandle: string; customer: Customer; back: string }

const blank = { name: '', number: '', addressLine1: '', addressLine2: '', city: '', country: '', postalCode: '' }

/** The form that changes a customer; what it sends is planned by `planCustomerUpdate`. */
export function EditCustomer({ idOrHandle, customer, back }: EditCustomerProps) {
  const router = useRouter()
  const [opened] = useState(() => readIntactCustomer(customer))
  const [seen, setSeen] = useState(opened)
  const params = { customerIdOrHandle: idOrHandle }
  const unsaid = customerFields.filter(({ name }) => opened[name] === undefined)

  async function save(_: unknown, typed: TypedCustomer) {
    const now = readIntactCustomer(await call('getCustomer', { params }))
    const { body, clashes } = planCustomerUpdate(typed, { opened, seen, now })
    if (clashes.length === 0) return call('updateCustomer', { params, body })
    setSeen(now)
    const names = customerFields.filter(({ name }) => clashes.includes(name))
    const detail = names.map(({ name, label }) => words.isNow(label, now[name] ?? '')).join(' ')
    throw new CallError(409, 'customer-changed', {
      type: 'customer-changed',
      title: words.somebodyElseHasChanged,
      status: 409,
      detail: words.nothingWasSavedSaveAgain(detail),
    })
  }

  const state = useEndpointForm({
    schema: customerUpdate,
    defaults: { ...blank, ...opened },
    fields: customerFields.map(({ name }) => name),
    toBody: (typed: TypedCustomer) => planCustomerUpdate(typed, { opened, seen, now: seen }).body,
    send: (body, _, typed) => save(body, typed),
    onDone: () => {
      tellDone(words.customerSaved)
      router.replace(keepMerchant(back))
      router.refresh()
    },
  })
  const { isDirty } = state.form.formState
  return (
    <>
      {unsaid.length > 0 ? (
        <p className="max-w-2xl px-4 pb-4 text-ink-soft md:px-8">
          {words.serviceDidNotShow} {unsaid.map(({ label }) => label).join(', ')}
          {words.fieldsThatYouLeaveEmpty}
        </p>
      ) : null}
      <CustomerForm state={state} action={words.save} reason={isDirty ? null : words.nothingWasChanged} back={back} />
    </>
  )
}
