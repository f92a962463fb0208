'use client'

import { useId } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { EndpointForm } from '@/components/forms/endpoint-form'
import { TextField, useEndpointForm } from '@/components/forms/use-endpoint-form'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { retryAfterStepUp } from '@/lib/client/api-client'
import { type NewConnection, newConnection } from '@/lib/domain/merchant-connection'
import { emptyConnection, toRequestBody, type ConnectionFormValues } from './typed-connection'
import * as words from '@/lib/words/merchants'

type ChoiceFieldProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  name: Path<Values>
  label: string
  /** Labels by value. */
  choices: Readonly<Record<string, string>>
}

/** A select field of a form. */
export function ChoiceField<Values extends FieldValues>({ form, name, label, choices }: ChoiceFieldProps<Values>) {
  const id = useId()
  return (
    <Field id={id} label={label}>
      <Select id={id} {...form.register(name)}>
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  )
}

type ConnectionFormProps = {
  initial?: ConnectionFormValues
  /** Whether a credential is stored; it is kept if the field stays empty, and never shown. */
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

const SECRET_LABELS = {
  basic: words.token,
  bearer: words.token,
  header: words.value,
  'client-credentials': words.clientSecret,
  none: words.token,
}

/** A merchant's API address, credential and interpretation rules. */
export function ConnectionForm({ initial, hasSecret, action, send, onDone }: ConnectionFormProps) {
  const state = useEndpointForm<ConnectionFormValues, NewConnection, unknown>({
    schema: newConnection,
    defaults: initial ?? emptyConnection,
    fields,
    toBody: toRequestBody,
    send: (body) => retryAfterStepUp(() => send(body)),
    onDone,
  })
  const { form } = state
  const auth = form.watch('auth')
  return (
    <EndpointForm state={state} action={action} cancelHref="/merchants">
      <TextField form={form} name="name" label={words.name} required hint={words.asThisDeskCalls} />
      <ChoiceField form={form} name="mode" label={words.payments} choices={{ live: words.live, test: words.test }} />
      <TextField
        form={form}
        name="baseUrl"
        label={words.addressOfTheService}
        required
        inputMode="url"
        hint={words.allPathsFollowItSuch}
      />
      <ChoiceField
        form={form}
        name="auth"
        label={words.credential}
        choices={{
          basic: words.basicTheTokenAsUser,
          bearer: words.bearerToken,
          header: words.headerOfItsOwn,
          'client-credentials': words.oauthClientCredentials,
          none: words.none,
        }}
      />
      {auth === 'header' ? <TextField form={form} name="header" label={words.header} required /> : null}
      {auth === 'client-credentials' ? (
        <>
          <TextField form={form} name="tokenUrl" label={words.addressOfTheTokenServer} required inputMode="url" />
          <TextField form={form} name="clientId" label={words.clientId} required />
          <TextField form={form} name="scope" label={words.scope} hint={words.sentAsItIs} />
        </>
      ) : null}
      {auth === 'none' ? null : (
        <TextField
          form={form}
          name="secret"
          label={SECRET_LABELS[auth]}
          required={!hasSecret}
          isSecret
          hint={hasSecret ? words.storedEncryptedAndNeverShown : words.storedEncryptedAndNeverShownAgain}
        />
      )}
      <ChoiceField
        form={form}
        name="amounts"
        label={words.amounts}
        choices={{
          minor: words.minorUnitsOfIsoDkk,
          hundredths: words.hundredthsWhateverTheCurrency,
          major: words.wholeCurrencyDkkIs,
        }}
      />
      <TextField form={form} name="cancellable" label={words.statesThatMayBeCancelled} hint={words.separatedByCommas} />
      <TextField form={form} name="cancelled" label={words.statesThatMeanCancelled} />
      <TextField form={form} name="final" label={words.otherStatesThatEnd} />
    </EndpointForm>
  )
}
