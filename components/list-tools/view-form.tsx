'use client'

import { type FormEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { InputField } from '../ui/field'
import { Checkbox } from '../ui/input'
import * as m from '@/lib/messages/m'

/** The result of a change; the form shows what is wrong with a name. */
export type ViewChangeResult = 'kept' | 'failed' | { wrong: string }

type ViewFormProps = {
  /** Whether there are no filters and no sorting. */
  isPlain: boolean
  mayShare: boolean
  onSave: (view: { name: string; isShared: boolean }) => Promise<ViewChangeResult>
}

/** Saves the current view under a name. */
export function ViewForm({ isPlain, mayShare, onSave }: ViewFormProps) {
  const id = useId()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const hint = isPlain ? m.views_nothingIsFilteredOrSorted() : null

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    setSaved(false)
    const result = await onSave({ name, isShared })
    setBusy(false)
    setError(typeof result === 'object' ? result.wrong : null)
    if (result !== 'kept') return field.current?.focus()
    setName('')
    setShared(false)
    setSaved(true)
  }

  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-3">
      <InputField
        id={`${id}-name`}
        label={m.views_saveWhatIsShownNow()}
        hint={hint}
        error={error}
        value={name}
        maxLength={80}
        autoComplete="off"
        ref={field}
        onChange={(event) => {
          setName(event.target.value)
          setError(null)
        }}
      />
      {mayShare ? (
        <label htmlFor={`${id}-shared`} className="flex items-center gap-2.5 max-md:min-h-11">
          <Checkbox id={`${id}-shared`} checked={isShared} onChange={() => setShared(!isShared)} />
          {m.views_forEverybodyAtThisMerchant()}
        </label>
      ) : null}
      <Button
        type="submit"
        tone="primary"
        className="justify-self-start"
        reason={name.trim() === '' ? m.views_giveItANameFirst() : isBusy ? m.views_viewIsBeingSaved() : null}
      >
        {m.views_saveView()}
      </Button>
      <output className="sr-only">{isSaved ? m.views_saved() : null}</output>
    </form>
  )
}
