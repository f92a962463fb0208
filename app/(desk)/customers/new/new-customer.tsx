'use client'

import { useRouter } from 'next/navigation'
import { tellDone } from '@/components/notices/tell-done'
import { useEndpointForm } from '@/components/form/use-endpoint-form'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { call } from '@/lib/browser/call'
import { readIdentity } from '@/lib/contract/read-identity'
import { customerFields, type TypedCustomer } from '@/lib/contract/customer-fields'
import { customerInput } from '@/lib/contract/customers'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/customer-forms'
import { CustomerForm } from '../customer-form'

const blank: TypedCustomer = {
  name: '',
  number: '',
  addressLine1: '',
  addressLine2: '',
  city: '',
  country: '',
  postalCode: '',
}

/** What is left empty is not sent; the name always is, so that the check can say that it is missing. */
function toBody(typed: TypedCustomer): unknown {
  return Object.fromEntries(Object.entries(typed).filter(([name, value]) => name === 'name' || value.trim() !== ''))
}

/** The form that creates a customer, then leads to the customer's page. */
export function NewCustomer() {
  const router = useRouter()
  const state = useEndpointForm({
    schema: customerInput,
    defaults: blank,
    fields: customerFields.map(({ name }) => name),
    toBody,
    send: (body, idempotencyKey) => call('createCustomer', { body, idempotencyKey }),
    onDone: ({ reply }) => {
      // The reply to a creation is not documented: without an id in it the list shows the customer.
      const { id, handle } = readIdentity(reply)
      tellDone(words.customerCreated)
      router.replace(keepMerchant(writePageAddress('/customers', id ?? handle) ?? '/customers'))
      router.refresh()
    },
  })
  return <CustomerForm state={state} action={words.createCustomer} back="/customers" />
}
