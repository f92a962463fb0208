'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { cancellationWatch } from '@/lib/client/cancellations'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import type { CancellationView } from '@/lib/domain/cancellations/cancellation'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { describeRecheck } from '@/lib/domain/cancellations/cancellation-outcome'
import * as words from '@/lib/words/cancellation-note'
import { ProblemNotice } from '../feedback/problem-notice'
import { Button } from '../ui/button'
import { describeField, Field } from '../ui/field'
import { Textarea } from '../ui/input'

function findNoteError(note: string): string | null {
  if (note.trim() === '') return words.sayWhatYouFound
  if (note.length > MAX_REASON_LENGTH)
    return words.atMostCharactersTooMany(MAX_REASON_LENGTH, note.length - MAX_REASON_LENGTH)
  if (!note.isWellFormed() || note.includes('\0')) return words.holdsCharactersThatCannot
  return null
}

type Doing = 'check' | 'handled' | null

/** Runs manual actions on a cancellation; `said` is for the live region. */
function useActions(view: CancellationView) {
  const [doing, setDoing] = useState<Doing>(null)
  const [facts, setFacts] = useState<ProblemInfo | null>(null)
  const [said, setSaid] = useState('')

  async function act(what: 'check' | 'handled', body?: { note: string }): Promise<boolean> {
    if (doing) return false
    setDoing(what)
    setFacts(null)
    setSaid('')
    try {
      const answer = await callDesk<CancellationView>(`/cancellations/${view.id}/${what}`, { method: 'POST', body })
      cancellationWatch.remember(answer)
      if (what === 'handled') setSaid(words.markedAsHandled)
      else setSaid(answer.checked ? `Checked: ${describeRecheck(answer.checked)}` : words.checkingNow)
      return true
    } catch (error) {
      setFacts(toProblemInfo(error))
      return false
    } finally {
      setDoing(null)
    }
  }
  return { doing, facts, said, act }
}

function HandledForm({
  busy,
  onSend,
  onClose,
}: {
  busy: boolean
  onSend: (note: string) => Promise<boolean>
  onClose: () => void
}) {
  const id = useId()
  const [note, setNote] = useState('')
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)

  // The button that opened the form is gone: focus the field.
  useEffect(() => field.current?.focus(), [])

  async function submit() {
    const wrong = findNoteError(note)
    setError(wrong)
    if (wrong) field.current?.focus()
    else if (await onSend(note)) onClose()
  }

  const hint = words.keptWithYourName
  return (
    <form
      noValidate
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field id={id} label={words.noteLabel} hint={hint} error={error} required>
        <Textarea
          id={id}
          ref={field}
          value={note}
          readOnly={busy}
          rows={3}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={describeField(id, { hint, error })}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" size="small" aria-busy={busy} reason={busy ? words.itIsBeingKept : null}>
          {words.markAsHandled}
        </Button>
        <Button size="small" onClick={onClose}>
          {words.leaveAsItIs}
        </Button>
      </div>
    </form>
  )
}

/** Manual actions for a cancellation that is not resolved: check the payment now, and mark it as handled. */
export function NeedsPersonActions({ view }: { view: CancellationView }) {
  const { doing, facts, said, act } = useActions(view)
  const [isNoting, setIsNoting] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const check = useRef<HTMLButtonElement>(null)
  const mayBeHandled = view.outcome === 'needs-person' && view.handled === null

  function close() {
    setIsNoting(false)
    // Handling is final: the button that opened the form may not come back.
    requestAnimationFrame(() => (opener.current ?? check.current)?.focus())
  }

  return (
    <div className="mt-3">
      <div className="flex flex-wrap gap-2">
        <Button
          ref={check}
          size="small"
          aria-busy={doing === 'check'}
          reason={doing === 'check' ? words.paymentIsBeingRead : null}
          onClick={() => void act('check')}
        >
          {doing === 'check' ? words.checking : words.checkAgain}
        </Button>
        {mayBeHandled && !isNoting ? (
          <Button ref={opener} size="small" onClick={() => setIsNoting(true)}>
            {words.markAsHandledPart}
          </Button>
        ) : null}
      </div>
      {mayBeHandled && isNoting ? (
        <HandledForm busy={doing === 'handled'} onSend={(note) => act('handled', { note })} onClose={close} />
      ) : null}
      {facts ? (
        <div className="mt-3">
          <ProblemNotice facts={facts} />
        </div>
      ) : null}
      <output aria-live="polite" className="sr-only">
        {said}
      </output>
    </div>
  )
}
