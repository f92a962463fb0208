'use client'

import { type FormEvent, useId, useState } from 'react'
import { Button } from '../ui/button'
import { Checkbox } from '../ui/checkbox'
import { Field } from '../ui/field'
import { Input } from '../ui/input'
import * as words from '@/lib/words/views'

type ViewFormProps = {
  /** Whether nothing is filtered or sorted. */
  isPlain: boolean
  mayShare: boolean
  /** Answers whether it was saved. */
  onSave: (name: string, isShared: boolean) => Promise<boolean>
}

/** Saves what is shown now under a name. */
export function ViewForm({ isPlain, mayShare, onSave }: ViewFormProps) {
  const id = useId()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    if (await onSave(name, isShared)) {
      setName('')
      setShared(false)
    }
    setBusy(false)
  }

  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-3">
      <Field id={`${id}-name`} label={words.saveWhatIsShownNow} hint={isPlain ? words.nothingIsFilteredOrSorted : null}>
        <Input
          id={`${id}-name`}
          value={name}
          maxLength={80}
          autoComplete="off"
          aria-describedby={isPlain ? `${id}-name-hint` : undefined}
          onChange={(event) => setName(event.target.value)}
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
