'use client'

import { joinList } from '@/lib/language/join-list'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { showToast } from '@/components/feedback/toast-store'
import { toFieldMessages } from '@/components/forms/field-messages'
import { useEndpointForm } from '@/components/forms/use-endpoint-form'
import { withMerchantParam } from '@/lib/client/page-context'
import { callEndpoint, CallError } from '@/lib/client/api-client'
import { planCustomerUpdate, toIntactValues } from '@/app/(dashboard)/customers/[customerIdOrHandle]/customer-update'
import { customerFields, type TypedCustomer } from '@/lib/api-contract/customer-fields'
import { type Customer, customerChange, customerUpdate } from '@/lib/api-contract/customers'
import { CustomerForm } from '@/components/customers/customer-form'
import * as m from '@/lib/messages/m'

type EditCustomerProps = { idOrHandle: string; customer: Customer; back: string }

const fields = customerFields.map(({ name }) => name)
const blank = { name: '', number: '', addressLine1: '', addressLine2: '', city: '', country: '', postalCode: '' }

/** Edits a customer; `planCustomerUpdate` builds the request. */
export function EditCustomer({ idOrHandle, customer, back }: EditCustomerProps) {
  const router = useRouter()
  const [opened] = useState(() => toIntactValues(customer))
  const [seen, setSeen] = useState(opened)
  const params = { customerIdOrHandle: idOrHandle }
  const missingFields = customerFields.filter(({ name }) => opened[name] === undefined)

  async function plan(_: unknown, typed: TypedCustomer) {
    const now = toIntactValues(await callEndpoint('getCustomer', { params }))
    const { body, clashes } = planCustomerUpdate(typed, { opened, seen, now })
    if (clashes.length === 0) return body
    setSeen(now)
    const names = customerFields.filter(({ name }) => clashes.includes(name))
    const detail = names
      .map(({ name, label }) => m.customerForms_isNow({ label: label(), name: now[name] ?? '' }))
      .join(' ')
    throw new CallError(409, 'conflict', {
      type: 'urn:debitdesk:conflict',
      title: m.customerForms_somebodyElseHasChanged(),
      status: 409,
      detail: m.customerForms_nothingWasSavedSaveAgain({ detail }),
    })
  }

  const state = useEndpointForm({
    schema: customerUpdate,
    defaults: { ...blank, ...opened },
    fields,
    // What was not edited goes back as it is.
    check: (typed) => {
      const edited = fields.filter((name) => typed[name] !== (opened[name] ?? ''))
      const changes = Object.fromEntries(edited.map((name) => [name, typed[name]]))
      return toFieldMessages(customerChange.safeParse(changes).error?.issues ?? [], fields)
    },
    toBody: (typed: TypedCustomer) => planCustomerUpdate(typed, { opened, seen, now: seen }).body,
    prepare: plan,
    send: (body) => callEndpoint('updateCustomer', { params, body }),
    onDone: () => {
      showToast(m.customerForms_customerSaved())
      router.replace(withMerchantParam(back))
      router.refresh()
    },
  })
  const { isDirty } = state.form.formState
  return (
    <>
      {missingFields.length > 0 ? (
        <p className="max-w-2xl px-4 pb-4 text-ink-soft md:px-8">
          {m.customerForms_missingFields({ fields: joinList(missingFields.map(({ label }) => label())) })}
        </p>
      ) : null}
      <CustomerForm
        state={state}
        action={m.customerForms_save()}
        reason={isDirty ? null : m.customerForms_nothingWasChanged()}
        cancelHref={back}
      />
    </>
  )
}
