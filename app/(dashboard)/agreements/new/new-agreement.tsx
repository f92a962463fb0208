'use client'

import { useRouter } from 'next/navigation'
import { useId, useState } from 'react'
import type * as z from 'zod'
import { EndpointForm } from '@/components/forms/endpoint-form'
import { formatMessage } from '@/components/forms/field-messages'
import { ConfirmDialog } from '@/components/feedback/confirm-dialog'
import { showToast } from '@/components/feedback/toast-store'
import { TextField, useEndpointForm } from '@/components/forms/use-endpoint-form'
import { Checkbox, Select } from '@/components/ui/input'
import { UntrustedText } from '@/components/ui/untrusted-text'
import { describeField, Field } from '@/components/ui/field'
import { withMerchantParam } from '@/lib/client/page-context'
import { callDesk } from '@/lib/client/api-client'
import { agreementInput } from '@/lib/api-contract/agreements'
import { agreementTypes, checkSchemeData, isKnownScheme, knownSchemes } from '@/lib/domain/agreements'
import { describeScheme } from '@/lib/domain/schemes'
import { parseIdentity } from '@/lib/domain/created-identity'
import { buildPagePath } from '@/lib/domain/page-address'
import { checkEditor, parseAgreementBody, type AgreementFormValues } from './agreement-body'
import { SchemeDataEditor } from './scheme-data-editor'
import * as m from '@/lib/messages/m'

const blank: AgreementFormValues = {
  choice: '',
  scheme: '',
  schemeData: { cvrNumber: '', pbsNumber: '', creditorNumber: '', agreementType: '' },
  editor: 'pairs',
  pairs: [{ key: '', value: '' }],
  json: '',
  // A live agreement collects real money: it must be a deliberate choice.
  test: true,
  dataSourceHandle: '',
}

/** The contract's schema plus the data rules of known schemes. */
const agreementSchema = agreementInput.superRefine(({ scheme, schemeData }, context) => {
  if (!isKnownScheme(scheme)) return
  for (const [field, message] of Object.entries(checkSchemeData(schemeData ?? {})))
    context.addIssue({ code: 'custom', path: ['schemeData', field], message })
})

type AgreementBody = z.output<typeof agreementInput>
type AskedAgreement = { body: AgreementBody; answer: (isConfirmed: boolean) => void }

/** Shows a live agreement before it is created. */
function ConfirmLive({ body, answer }: AskedAgreement) {
  const { scheme, schemeData, dataSourceHandle } = body
  const entries = [
    [m.newAgreement_scheme(), describeScheme(scheme)],
    ...Object.entries(schemeData ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ...(dataSourceHandle ? [[m.newAgreement_dataSourceHandle(), dataSourceHandle]] : []),
  ]
  return (
    <ConfirmDialog
      title={m.newAgreement_createThisLiveAgreement()}
      typed={null}
      confirmLabel={m.newAgreement_createLiveAgreement()}
      cancelLabel={m.newAgreement_goBack()}
      run={async () => answer(true)}
      onClose={() => answer(false)}
    >
      <p className="text-ink-soft">{m.newAgreement_collectsRealMoney()}</p>
      <dl className="grid gap-1.5">
        {entries.map(([name = '', value = '']) => (
          <div key={name} className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3">
            <dt className="text-ink-soft">
              <UntrustedText>{name}</UntrustedText>
            </dt>
            <dd className="font-medium wrap-anywhere">
              <UntrustedText>{value}</UntrustedText>
            </dd>
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  )
}

/** Creates an agreement and opens its page. */
export function NewAgreement() {
  const id = useId()
  const router = useRouter()
  const [asked, setAsked] = useState<AskedAgreement | null>(null)
  const state = useEndpointForm({
    schema: agreementSchema,
    defaults: blank,
    repeat: 'doubtful',
    keptAs: 'agreement',
    fields: [
      'scheme',
      'schemeData.cvrNumber',
      'schemeData.pbsNumber',
      'schemeData.creditorNumber',
      'schemeData.agreementType',
      'test',
      'dataSourceHandle',
    ],
    toBody: parseAgreementBody,
    check: checkEditor,
    // Only live agreements collect money.
    confirm: (body) => (body.test ? Promise.resolve(true) : new Promise((answer) => setAsked({ body, answer }))),
    send: (input, key) => callDesk<{ reply: unknown }>('/agreements', { method: 'POST', body: { input, key } }),
    onDone: ({ reply }) => {
      // The reply is not documented: without an id in it, open the list.
      const { id: agreementId, handle } = parseIdentity(reply)
      showToast(m.newAgreement_agreementCreated())
      router.replace(withMerchantParam(buildPagePath('/agreements', agreementId ?? handle) ?? '/agreements'))
      router.refresh()
    },
  })
  const { form } = state
  const choice = form.watch('choice')
  const isOther = choice === 'other'
  const schemeMessage = form.getFieldState('scheme', form.formState).error?.message
  const schemeError = isOther
    ? null
    : choice === '' && schemeMessage
      ? m.newAgreement_chooseAScheme()
      : formatMessage(m.newAgreement_scheme(), schemeMessage)
  const typeError = formatMessage(
    m.newAgreement_agreementType(),
    form.getFieldState('schemeData.agreementType', form.formState).error?.message,
  )

  return (
    <>
      <EndpointForm
        state={state}
        action={m.newAgreement_createAgreement()}
        lookUp={<p>{m.newAgreement_askWhetherItExists()}</p>}
        cancelHref="/agreements"
      >
        <Field id={`${id}-scheme`} label={m.newAgreement_scheme()} error={schemeError} required>
          <Select
            id={`${id}-scheme`}
            aria-required="true"
            aria-invalid={schemeError ? true : undefined}
            aria-describedby={describeField(`${id}-scheme`, { error: schemeError })}
            {...form.register('choice')}
          >
            <option value="">{m.newAgreement_chooseASchemePart()}</option>
            {knownSchemes.map(({ scheme, label }) => (
              <option key={scheme} value={scheme}>
                {label}
              </option>
            ))}
            <option value="other">{m.newAgreement_anotherScheme()}</option>
          </Select>
        </Field>
        {isOther ? (
          <>
            <TextField
              form={form}
              name="scheme"
              label={m.newAgreement_nameOfTheScheme()}
              hint={m.newAgreement_asTheServiceWrites()}
              required
            />
            <SchemeDataEditor form={form} />
          </>
        ) : null}
        {isKnownScheme(choice) ? (
          <>
            <TextField
              form={form}
              name="schemeData.cvrNumber"
              label={m.newAgreement_cvrNumber()}
              hint={m.newAgreement_digits()}
              inputMode="numeric"
            />
            <TextField
              form={form}
              name="schemeData.pbsNumber"
              label={m.newAgreement_pbsNumber()}
              hint={m.newAgreement_digits()}
              inputMode="numeric"
            />
            <TextField form={form} name="schemeData.creditorNumber" label={m.newAgreement_creditorNumber()} />
            <Field id={`${id}-type`} label={m.newAgreement_agreementType()} error={typeError}>
              <Select
                id={`${id}-type`}
                aria-describedby={describeField(`${id}-type`, { error: typeError })}
                {...form.register('schemeData.agreementType')}
              >
                <option value="">{m.newAgreement_notSaid()}</option>
                {agreementTypes.map((type) => (
                  <option key={type} value={type}>
                    {type}
                  </option>
                ))}
              </Select>
            </Field>
          </>
        ) : null}
        <TextField form={form} name="dataSourceHandle" label={m.newAgreement_dataSourceHandle()} />
        <div>
          <div className="flex items-center gap-2.5">
            <Checkbox id={`${id}-test`} aria-describedby={`${id}-test-hint`} {...form.register('test')} />
            <label htmlFor={`${id}-test`} className="font-medium">
              {m.newAgreement_test()}
            </label>
          </div>
          <p id={`${id}-test-hint`} className="mt-1 text-[0.8125rem] text-ink-soft">
            {m.newAgreement_paymentsOnATestAgreement()}
          </p>
        </div>
      </EndpointForm>
      {asked ? (
        <ConfirmLive
          body={asked.body}
          answer={(isConfirmed) => {
            setAsked(null)
            asked.answer(isConfirmed)
          }}
        />
      ) : null}
    </>
  )
}
