'use client'

import { EndpointForm } from '@/components/endpoint-form'
import { TextField } from '@/components/form/text-field'
import { useEndpointForm } from '@/components/form/use-endpoint-form'
import { callAgainWhenProven } from '@/lib/browser/call-again-when-proven'
import { type NewConnection, newConnection } from '@/lib/contract/connection-settings'
import { ChoiceField } from './choice-field'
import { emptyConnection, readTyped, type TypedConnection } from './typed-connection'

type ConnectionFormProps = {
  initial?: TypedConnection
  /** Whether a credential is stored: it stays where none is typed, and is never shown. */
  hasSecret: boolean
  action: string
  send: (body: NewConnection) => Promise<unknown>
  onDone: (reply: unknown) => void
}

const fields = [
  'name',
  'mode',
  'baseUrl',
  'auth',
  'header',
  'tokenUrl',
  'clientId',
  'scope',
  'secret',
  'amounts',
  'cancellable',
  'cancelled',
  'final',
] as const

const secretNames = {
  basic: 'Token',
  bearer: 'Token',
  header: 'Value',
  'client-credentials': 'Client secret',
  none: 'Token',
}

/** Where a merchant's service is, what proves the desk there, and how what it says is read. */
export function ConnectionForm({ initial, hasSecret, action, send, onDone }: ConnectionFormProps) {
  const state = useEndpointForm<TypedConnection, NewConnection, unknown>({
    schema: newConnection,
    defaults: initial ?? emptyConnection,
    fields,
    toBody: readTyped,
    send: (body) => callAgainWhenProven(() => send(body)),
    onDone,
  })
  const { form } = state
  const auth = form.watch('auth')
  return (
    <EndpointForm state={state} action={action} back="/merchants">
      <TextField form={form} name="name" label="Name" required hint="As this desk calls the merchant." />
      <ChoiceField form={form} name="mode" label="Payments" choices={{ live: 'Live', test: 'Test' }} />
      <TextField
        form={form}
        name="baseUrl"
        label="Address of the service"
        required
        inputMode="url"
        hint="All paths follow it, such as https://service.example."
      />
      <ChoiceField
        form={form}
        name="auth"
        label="Credential"
        choices={{
          basic: 'Basic: the token as user name',
          bearer: 'Bearer token',
          header: 'A header of its own',
          'client-credentials': 'OAuth 2.0 client credentials',
          none: 'None',
        }}
      />
      {auth === 'header' ? <TextField form={form} name="header" label="Header" required /> : null}
      {auth === 'client-credentials' ? (
        <>
          <TextField form={form} name="tokenUrl" label="Address of the token server" required inputMode="url" />
          <TextField form={form} name="clientId" label="Client id" required />
          <TextField form={form} name="scope" label="Scope" hint="Sent as it is." />
        </>
      ) : null}
      {auth === 'none' ? null : (
        <TextField
          form={form}
          name="secret"
          label={secretNames[auth]}
          required={!hasSecret}
          isSecret
          hint={
            hasSecret
              ? 'Stored encrypted, and never shown again. Leave it empty to keep it; with another address or another kind it must be entered again.'
              : 'Stored encrypted, and never shown again.'
          }
        />
      )}
      <ChoiceField
        form={form}
        name="amounts"
        label="Amounts"
        choices={{
          minor: 'Minor units of ISO 4217: 124500 DKK is 1,245.00',
          hundredths: 'Hundredths, whatever the currency',
          major: 'Whole currency: 1245 DKK is 1,245.00',
        }}
      />
      <TextField form={form} name="cancellable" label="States that may be cancelled" hint="Separated by commas." />
      <TextField form={form} name="cancelled" label="States that mean cancelled" />
      <TextField form={form} name="final" label="Other states that end a payment" />
    </EndpointForm>
  )
}
