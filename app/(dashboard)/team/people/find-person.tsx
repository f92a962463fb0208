'use client'

import { type FormEvent, useId, useState } from 'react'
import { HydratedFieldset } from '@/components/forms/before-hydration'
import { type FieldMessages, formatMessage, toFieldMessages } from '@/components/forms/field-messages'
import { focusFirstInvalid } from '@/components/forms/form-elements'
import { KeptData } from '@/components/people/kept-data'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Input, Textarea } from '@/components/ui/input'
import type { Message } from '@/lib/language/runtime'
import { type PersonRequest, personRequest } from '@/lib/domain/people'
import * as m from '@/lib/messages/m'

type Typed = Record<keyof PersonRequest, string>

const fields: readonly { name: keyof PersonRequest; label: Message; hint?: Message; lines?: true }[] = [
  { name: 'customer', label: m.people_customer, hint: m.people_customerHint },
  { name: 'name', label: m.customer_name },
  { name: 'number', label: m.customer_number },
  { name: 'addressLine1', label: m.customerFields_addressLine1 },
  { name: 'addressLine2', label: m.customerFields_addressLine2 },
  { name: 'others', label: m.people_others, hint: m.people_othersHint, lines: true },
  { name: 'ids', label: m.people_ids, hint: m.people_idsHint, lines: true },
]

const empty: Typed = { customer: '', name: '', number: '', addressLine1: '', addressLine2: '', others: '', ids: '' }

const toLines = (text: string) => text.split(/\r?\n/u).filter((line) => line.trim() !== '')

/** Looks for a person by what is known of them, also one that the provider no longer knows. */
export function FindPerson() {
  const id = useId()
  const [typed, setTyped] = useState<Typed>(empty)
  const [messages, setMessages] = useState<FieldMessages>({})
  const [person, setPerson] = useState<{ request: PersonRequest; at: number } | null>(null)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    const read = personRequest.safeParse({ ...typed, others: toLines(typed.others), ids: toLines(typed.ids) })
    setMessages(
      toFieldMessages(
        read.error?.issues ?? [],
        fields.map(({ name }) => name),
      ),
    )
    setPerson(read.data ? { request: read.data, at: Date.now() } : null)
    if (!read.data) requestAnimationFrame(() => focusFirstInvalid(form))
  }

  return (
    <>
      <section aria-labelledby={`${id}-find`} className="rounded-lg border border-line bg-surface p-5 max-md:px-4">
        <h2 id={`${id}-find`} className="font-semibold">
          {m.people_find()}
        </h2>
        <p className="mt-1 text-ink-soft">{m.people_findAbout()}</p>
        <form method="post" noValidate onSubmit={submit} className="mt-4 grid gap-4 md:grid-cols-2">
          <HydratedFieldset name={m.people_find()}>
            {fields.map(({ name, label, hint, lines }) => {
              const error = formatMessage(label(), messages[name])
              const control = {
                id: `${id}-${name}`,
                value: typed[name],
                autoComplete: 'off',
                'aria-invalid': error ? true : undefined,
                'aria-describedby': describeField(`${id}-${name}`, { hint, error }),
                onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
              }
              return (
                <Field key={name} id={control.id} label={label()} hint={hint?.()} error={error}>
                  {lines ? <Textarea {...control} rows={3} /> : <Input {...control} />}
                </Field>
              )
            })}
            <Button type="submit" tone="primary" className="justify-self-start md:col-span-2 max-md:w-full">
              {m.people_show()}
            </Button>
          </HydratedFieldset>
        </form>
      </section>
      {person ? <KeptData key={person.at} person={person.request} /> : null}
    </>
  )
}
