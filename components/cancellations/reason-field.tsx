'use client'

import type { KeyboardEvent, RefObject } from 'react'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { describeField, Field } from '../ui/field'
import { mergeClasses } from '../ui/merge-classes'
import { Textarea } from '../ui/input'
import * as words from '@/lib/words/cancelling'

/** Validates a reason as the contract does; null if valid. */
export function findReasonError(reason: string): string | null {
  if (reason.trim() === '') return words.reasonMissing
  if (reason.length > MAX_REASON_LENGTH)
    return words.reasonTooLong(MAX_REASON_LENGTH, reason.length - MAX_REASON_LENGTH)
  if (!reason.isWellFormed() || reason.includes('\0')) return words.reasonUnfit
  return null
}

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
      <span>{words.reasonSent}</span>
      <span
        className={mergeClasses(
          'shrink-0 tabular-nums',
          reason.length > MAX_REASON_LENGTH && 'font-medium text-negative',
        )}
      >
        {words.reasonLength(reason.length, MAX_REASON_LENGTH)}
      </span>
    </span>
  )
  return (
    <Field id="cancel-reason" label={words.reason} hint={hint} error={error} required>
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
  )
}
