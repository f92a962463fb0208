'use client'

import { EndpointForm, type EndpointFormProps } from '@/components/forms/endpoint-form'
import { TextField, type useEndpointForm } from '@/components/forms/use-endpoint-form'
import { customerFields, type TypedCustomer } from '@/lib/api-contract/customer-fields'

type CustomerFormProps = Omit<EndpointFormProps, 'state' | 'children'> & {
  state: ReturnType<typeof useEndpointForm<TypedCustomer, unknown, unknown>>
}

/** The documented fields of a customer, for creating and editing. */
export function CustomerForm({ state, ...frame }: CustomerFormProps) {
  return (
    <EndpointForm state={state} {...frame}>
      {customerFields.map(({ name, label, ...rest }) => (
        <TextField
          key={name}
          form={state.form}
          name={name}
          label={label()}
          hint={'hint' in rest ? rest.hint() : undefined}
          required={name === 'name'}
        />
      ))}
    </EndpointForm>
  )
}
