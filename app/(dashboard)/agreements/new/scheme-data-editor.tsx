'use client'

import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { formatMessage } from '@/components/forms/field-messages'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import { parsePairs, type AgreementFormValues } from './agreement-body'
import * as m from '@/lib/messages/m'

type Form = UseFormReturn<AgreementFormValues>

/** The row of a key that stands there before; else the first, for a message about the pairs. */
function findFaultyRow(pairs: AgreementFormValues['pairs']): number {
  const keys = pairs.map(({ key }) => key.trim())
  const repeated = keys.findIndex((key, row) => key !== '' && keys.indexOf(key) < row)
  return Math.max(repeated, 0)
}

function Pairs({ form, error }: { form: Form; error: string | null }) {
  const id = useId()
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'pairs' })
  const addButton = useRef<HTMLButtonElement>(null)
  const faultyRow = error ? findFaultyRow(form.getValues('pairs')) : -1
  return (
    <div className="grid gap-2">
      {fields.map((field, index) => (
        <div key={field.id} className="flex items-center gap-2">
          <Input
            className="w-full"
            aria-label={m.newAgreement_key({ index: index + 1 })}
            placeholder={m.newAgreement_keyLabel()}
            autoComplete="off"
            aria-invalid={index === faultyRow || undefined}
            aria-describedby={index === faultyRow ? describeField(id, { error }) : undefined}
            {...form.register(`pairs.${index}.key`, { deps: 'schemeData' })}
          />
          <Input
            className="w-full"
            aria-label={m.newAgreement_value({ index: index + 1 })}
            placeholder={m.newAgreement_valueLabel()}
            autoComplete="off"
            {...form.register(`pairs.${index}.value`)}
          />
          <Button
            tone="quiet"
            aria-label={m.newAgreement_removePair({ index: index + 1 })}
            onClick={() => {
              // The pressed button disappears.
              addButton.current?.focus()
              remove(index)
              if (error) void form.trigger('schemeData')
            }}
          >
            <X className="size-4" />
          </Button>
        </div>
      ))}
      <Button
        ref={addButton}
        size="small"
        className="justify-self-start"
        onClick={() => append({ key: '', value: '' })}
      >
        <Plus className="size-4" />
        {m.newAgreement_addAPair()}
      </Button>
      {error ? (
        <p id={`${id}-error`} className="text-[0.8125rem] font-medium text-negative">
          {error}
        </p>
      ) : null}
    </div>
  )
}

/**
 * Converts the pairs to JSON unless the user edited it; `generated` is the previous result. Pairs with a duplicate key are
 * not converted, for that would lose a value.
 */
function pairsToJson({ json, pairs }: AgreementFormValues, generated: string): string {
  const filled = parsePairs(pairs)
  const data = Object.fromEntries(filled)
  if (json !== generated || Object.keys(data).length < filled.length) return json
  return filled.length === 0 ? '' : JSON.stringify(data, null, 2)
}

/** The data of an unknown scheme: pairs of key and text, or a JSON object. */
export function SchemeDataEditor({ form }: { form: Form }) {
  const id = useId()
  const [generatedJson, setGeneratedJson] = useState('')
  const isJson = form.watch('editor') === 'json'
  const editor = form.register('editor', {
    onChange: ({ target }: { target: { value: string } }) => {
      if (target.value !== 'json') return
      const json = pairsToJson(form.getValues(), generatedJson)
      if (json === form.getValues('json')) return
      setGeneratedJson(json)
      form.setValue('json', json, { shouldDirty: true })
    },
  })
  const message = form.getFieldState('schemeData', form.formState).error?.message
  const error = formatMessage(m.newAgreement_schemeData(), typeof message === 'string' ? message : undefined)
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4">
      <legend className="sr-only">{m.newAgreement_schemeData()}</legend>
      <div className="flex flex-wrap items-center gap-4">
        <span aria-hidden="true" className="font-medium">
          {m.newAgreement_schemeData()}
        </span>
        {(['pairs', 'json'] as const).map((kind) => (
          <label key={kind} className="flex items-center gap-1.5 max-md:min-h-11">
            <input type="radio" value={kind} className="accent-accent" {...editor} />
            {kind === 'pairs' ? m.newAgreement_keysAndValues() : 'JSON'}
          </label>
        ))}
      </div>
      {isJson ? (
        <Field id={id} label={m.newAgreement_json()} error={error} hint={m.newAgreement_oneObjectSuchAs()}>
          <Textarea
            id={id}
            rows={6}
            spellCheck={false}
            className="w-full font-mono"
            aria-invalid={error ? true : undefined}
            aria-describedby={describeField(id, { hint: true, error })}
            {...form.register('json')}
          />
        </Field>
      ) : (
        <Pairs form={form} error={error} />
      )}
    </fieldset>
  )
}
