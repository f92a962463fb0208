'use client'

import { useRouter } from 'next/navigation'
import { showToast } from '@/components/feedback/toast-store'
import { useEndpointForm } from '@/components/forms/use-endpoint-form'
import { withMerchantParam } from '@/lib/client/page-context'
import { callEndpoint } from '@/lib/client/api-client'
import { parseIdentity } from '@/lib/domain/created-identity'
import { customerFields, type TypedCustomer } from '@/lib/api-contract/customer-fields'
import { customerInput } from '@/lib/api-contract/customers'
import { buildPagePath } from '@/lib/domain/page-address'
import { CustomerForm } from '@/components/customers/customer-form'
import { LookForCustomer } from './look-for-customer'
import * as m from '@/lib/messages/m'

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
    repeat: 'doubtful',
    keptAs: 'customer',
    fields: customerFields.map(({ name }) => name),
    toBody,
    send: (body, idempotencyKey) => callEndpoint('createCustomer', { body, idempotencyKey }),
    onDone: ({ reply }) => {
      // The reply to a creation is not documented: without an id in it the list shows the customer.
      const { id, handle } = parseIdentity(reply)
      showToast(m.customerForms_customerCreated())
      router.replace(withMerchantParam(buildPagePath('/customers', id ?? handle) ?? '/customers'))
      router.refresh()
    },
  })
  return (
    <CustomerForm
      state={state}
      action={m.customerForms_createCustomer()}
      lookUp={state.lost ? <LookForCustomer sent={state.lost.body} /> : null}
      cancelHref="/customers"
    />
  )
}
