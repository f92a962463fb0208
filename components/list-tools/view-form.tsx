'use client'

import { type FormEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Checkbox } from '../ui/checkbox'
import { describeField, Field } from '../ui/field'
import { Input } from '../ui/input'
import type { KeptView } from './views-panel'
import * as words from '@/lib/words/views'

type ViewFormProps = {
  /** Whether nothing is filtered or sorted. */
  isPlain: boolean
  mayShare: boolean
  onSave: (view: { name: string; isShared: boolean }) => Promise<KeptView>
}

/** Saves what is shown now under a name. */
export function ViewForm({ isPlain, mayShare, onSave }: ViewFormProps) {
  const id = useId()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const hint = isPlain ? words.nothingIsFilteredOrSorted : null

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    const came = await onSave({ name, isShared })
    setBusy(false)
    setError(typeof came === 'object' ? came.wrong : null)
    if (came !== 'kept') return field.current?.focus()
    setName('')
    setShared(false)
  }

  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-3">
      <Field id={`${id}-name`} label={words.saveWhatIsShownNow} hint={hint} error={error}>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={80}
          autoComplete="off"
          ref={field}
          aria-invalid={error !== null || undefined}
          aria-describedby={describeField(`${id}-name`, { hint, error })}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
        />
      </Field>
      {mayShare ? (
        <label htmlFor={`${id}-shared`} className="flex items-center gap-2.5 max-md:min-h-11">
          <Checkbox id={`${id}-shared`} checked={isShared} onChange={() => setShared(!isShared)} />
          {words.forEverybodyAtThisMerchant}
        </label>
      ) : null}
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        reason={name.trim() === '' ? words.giveItANameFirst : isBusy ? words.viewIsBeingSaved : null}
      >
        {words.saveView}
      </Button>
    </form>
  )
}
