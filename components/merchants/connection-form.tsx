'use client'

import { useId } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { EndpointForm } from '@/components/forms/endpoint-form'
import { type Repeat, TextField, useEndpointForm } from '@/components/forms/use-endpoint-form'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { retryAfterStepUp } from '@/lib/client/api-client'
import { type NewConnection, newConnection } from '@/lib/domain/merchant-connection'
import { emptyConnection, toRequestBody, type ConnectionFormValues } from './typed-connection'
import * as m from '@/lib/messages/m'

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
  /** As in useEndpointForm. */
  repeat: Repeat
  /** Sends the body. */
  send: (body: NewConnection, idempotencyKey: string) => Promise<unknown>
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
  basic: m.merchants_token,
  bearer: m.merchants_token,
  header: m.merchants_value,
  'client-credentials': m.merchants_clientSecret,
  none: m.merchants_token,
}

/** What its type of credential needs, which the body leaves out where it is empty: messages by field. */
function findMissing(values: ConnectionFormValues, hasSecret: boolean): Record<string, string> {
  const { auth } = values
  const needed = {
    header: auth === 'header',
    tokenUrl: auth === 'client-credentials',
    clientId: auth === 'client-credentials',
    secret: auth !== 'none' && !hasSecret,
  }
  const missing = (['header', 'tokenUrl', 'clientId', 'secret'] as const).filter(
    (name) => needed[name] && values[name].trim() === '',
  )
  return Object.fromEntries(missing.map((name) => [name, m.contractFields_mustNotBeEmpty()]))
}

/** A merchant's API address, credential and interpretation rules. */
export function ConnectionForm({ initial, hasSecret, action, repeat, send, onDone }: ConnectionFormProps) {
  const state = useEndpointForm<ConnectionFormValues, NewConnection, unknown>({
    schema: newConnection,
    defaults: initial ?? emptyConnection,
    fields,
    toBody: toRequestBody,
    check: (values) => findMissing(values, hasSecret),
    send: (body, key) => retryAfterStepUp(() => send(body, key)),
    onDone,
    repeat,
  })
  const { form } = state
  const auth = form.watch('auth')
  return (
    <EndpointForm state={state} action={action} cancelHref="/merchants">
      <TextField form={form} name="name" label={m.merchants_name()} required hint={m.merchants_asThisDeskCalls()} />
      <ChoiceField
        form={form}
        name="mode"
        label={m.merchants_payments()}
        choices={{ live: m.merchants_live(), test: m.merchants_test() }}
      />
      <TextField
        form={form}
        name="baseUrl"
        label={m.merchants_addressOfTheService()}
        required
        inputMode="url"
        hint={m.merchants_allPathsFollowItSuch()}
      />
      <ChoiceField
        form={form}
        name="auth"
        label={m.merchants_credential()}
        choices={{
          basic: m.merchants_basicTheTokenAsUser(),
          bearer: m.merchants_bearerToken(),
          header: m.merchants_headerOfItsOwn(),
          'client-credentials': m.merchants_oauthClientCredentials(),
          none: m.merchants_none(),
        }}
      />
      {auth === 'header' ? <TextField form={form} name="header" label={m.merchants_header()} required /> : null}
      {auth === 'client-credentials' ? (
        <>
          <TextField
            form={form}
            name="tokenUrl"
            label={m.merchants_addressOfTheTokenServer()}
            required
            inputMode="url"
          />
          <TextField form={form} name="clientId" label={m.merchants_clientId()} required />
          <TextField form={form} name="scope" label={m.merchants_scope()} hint={m.merchants_sentAsItIs()} />
        </>
      ) : null}
      {auth === 'none' ? null : (
        <TextField
          form={form}
          name="secret"
          label={SECRET_LABELS[auth]()}
          required={!hasSecret}
          isSecret
          hint={
            hasSecret ? m.merchants_storedEncryptedAndNeverShown() : m.merchants_storedEncryptedAndNeverShownAgain()
          }
        />
      )}
      <ChoiceField
        form={form}
        name="amounts"
        label={m.merchants_amounts()}
        choices={{
          minor: m.merchants_minorUnitsOfIsoDkk(),
          hundredths: m.merchants_hundredthsWhateverTheCurrency(),
          major: m.merchants_wholeCurrencyDkkIs(),
        }}
      />
      <TextField
        form={form}
        name="cancellable"
        label={m.merchants_statesThatMayBeCancelled()}
        hint={m.merchants_separatedByCommas()}
      />
      <TextField form={form} name="cancelled" label={m.merchants_statesThatMeanCancelled()} />
      <TextField form={form} name="final" label={m.merchants_otherStatesThatEnd()} />
    </EndpointForm>
  )
}
