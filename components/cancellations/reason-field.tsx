'use client'

import type { KeyboardEvent, RefObject } from 'react'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { Button } from '../ui/button'
import { describeField, Field } from '../ui/field'
import { mergeClasses } from '../ui/merge-classes'
import { Textarea } from '../ui/input'
import * as m from '@/lib/messages/m'

/** Validates a reason as the contract does; null if valid. */
export function findReasonError(reason: string): string | null {
  if (reason.trim() === '') return m.cancelling_reasonMissing()
  if (reason.length > MAX_REASON_LENGTH)
    return m.cancelling_reasonTooLong({ limit: MAX_REASON_LENGTH, over: reason.length - MAX_REASON_LENGTH })
  if (!reason.isWellFormed() || reason.includes('\0')) return m.cancelling_reasonUnfit()
  return null
}

const presets = [
  m.cancelling_presetCustomer,
  m.cancelling_presetDuplicate,
  m.cancelling_presetAmount,
  m.cancelling_presetPaid,
]

type ReasonFieldProps = {
  fieldRef: RefObject<HTMLTextAreaElement | null>
  reason: string
  error: string | null
  readOnly: boolean
  onChange: (reason: string) => void
  onSubmit: () => void
}

/** The reason: Enter inserts a line break, Ctrl or ⌘ with Enter submits. */
export function ReasonField({ fieldRef, reason, error, readOnly, onChange, onSubmit }: ReasonFieldProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.repeat) onSubmit()
  }

  const hint = (
    <span className="flex justify-between gap-4">
      <span>{m.cancelling_reasonSent()}</span>
      <span
        className={mergeClasses(
          'shrink-0 tabular-nums',
          reason.length > MAX_REASON_LENGTH && 'font-medium text-negative',
        )}
      >
        {m.cancelling_reasonLength({
          // Figure spaces: what counts while somebody types keeps its width.
          length: String(reason.length).padStart(String(MAX_REASON_LENGTH).length, '\u2007'),
          limit: MAX_REASON_LENGTH,
        })}
      </span>
    </span>
  )
  return (
    <div className="grid gap-2">
      <Field id="cancel-reason" label={m.cancelling_reason()} hint={hint} error={error} required>
        <Textarea
          id="cancel-reason"
          ref={fieldRef}
          value={reason}
          readOnly={readOnly}
          rows={3}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={describeField('cancel-reason', { hint, error })}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{m.bulkCancellation_presets()}</legend>
        {presets.map((preset) => (
          <Button
            key={preset()}
            size="small"
            tone="secondary"
            reason={readOnly ? m.cancelling_onItsWay() : null}
            onClick={() => onChange(preset())}
          >
            {preset()}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}
