'use client'

import { type RefObject, useState } from 'react'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { hasVisibleText } from '@/lib/api-contract/visible-text'
import { isStorable } from '@/lib/domain/text/is-storable'
import { useFormatCount } from '../layout/app-config'
import { Button } from '../ui/button'
import { describeField, Field } from '../ui/field'
import { mergeClasses } from '../ui/merge-classes'
import { Textarea } from '../ui/input'
import * as m from '@/lib/messages/m'

/** Validates a reason as the contract does; null if valid. */
export function findReasonError(reason: string): string | null {
  if (!hasVisibleText(reason)) return m.cancelling_reasonMissing()
  if (reason.length > MAX_REASON_LENGTH)
    return m.cancelling_reasonTooLong({ limit: MAX_REASON_LENGTH, over: reason.length - MAX_REASON_LENGTH })
  if (!isStorable(reason)) return m.cancelling_reasonUnfit()
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
  /** Why it can't be changed now. */
  lockedReason: string | null
  onChange: (reason: string) => void
  onSubmit: () => void
}

/**
 * The reason; Ctrl or ⌘ with Enter submits. What somebody typed can be brought back after a preset has replaced it.
 */
export function ReasonField({ fieldRef, reason, error, lockedReason, onChange, onSubmit }: ReasonFieldProps) {
  const formatCount = useFormatCount()
  const [replaced, setReplaced] = useState<string | null>(null)

  function choose(preset: string): void {
    if (reason.trim() !== '' && !presets.some((one) => one() === reason)) setReplaced(reason)
    onChange(preset)
  }

  function restore(): void {
    onChange(replaced ?? '')
    setReplaced(null)
    // The pressed button disappears.
    fieldRef.current?.focus()
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
          length: formatCount(reason.length).padStart(formatCount(MAX_REASON_LENGTH).length, '\u2007'),
          limit: formatCount(MAX_REASON_LENGTH),
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
          readOnly={lockedReason !== null}
          rows={3}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={describeField('cancel-reason', { hint, error })}
          onChange={(event) => onChange(event.target.value)}
          onSend={onSubmit}
        />
      </Field>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{m.bulkCancellation_presets()}</legend>
        {presets.map((preset) => (
          <Button key={preset()} size="small" tone="secondary" reason={lockedReason} onClick={() => choose(preset())}>
            {preset()}
          </Button>
        ))}
        {replaced === null || lockedReason !== null ? null : (
          <Button size="small" tone="quiet" onClick={restore}>
            {m.cancelling_restoreTyped()}
          </Button>
        )}
      </fieldset>
    </div>
  )
}
