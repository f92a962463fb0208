'use client'

import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { callDesk } from '@/lib/client/api-client'
import { cancellationWatch } from '@/lib/client/cancellations'
import { forgetText, isText, useKept } from '@/lib/client/kept-text'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import type { CancellationView, Outcome } from '@/lib/domain/cancellations/cancellation'
import { MAX_REASON_LENGTH } from '@/lib/api-contract/limits'
import { hasVisibleText } from '@/lib/api-contract/visible-text'
import { describeRecheck } from '@/lib/domain/cancellations/outcome-reasons'
import { formatClock } from '@/lib/domain/dates/date'
import { isStorable } from '@/lib/domain/text/is-storable'
import { ProblemNotice } from '../feedback/problem-notice'
import { useAppConfig, useViewerZone } from '../layout/app-config'
import { Button } from '../ui/button'
import { describeField, Field } from '../ui/field'
import { Textarea } from '../ui/input'
import * as m from '@/lib/messages/m'

function findNoteError(note: string): string | null {
  if (!hasVisibleText(note)) return m.cancellationNote_sayWhatYouFound()
  if (note.length > MAX_REASON_LENGTH)
    return m.cancellationNote_atMostCharactersTooMany({
      reasonLimit: MAX_REASON_LENGTH,
      reasonLimit2: note.length - MAX_REASON_LENGTH,
    })
  if (!isStorable(note)) return m.cancellationNote_holdsCharactersThatCannot()
  return null
}

type PendingAction = 'check' | 'handled' | null

/** Milliseconds after which a check of an open cancellation has usually shown its outcome, if it has one. */
const CHECK_TAKES_MS = 10_000

/** Runs manual actions on a cancellation; `statusMessage` is for the live region. */
function useActions(view: CancellationView) {
  const [pendingAction, setPendingAction] = useState<PendingAction>(null)
  const [problem, setProblem] = useState<ProblemInfo | null>(null)
  const [statusMessage, setStatusMessage] = useState('')
  /** The outcome that a check which was just asked for may change, and whether it waits for its owner to sign in. */
  const [checked, setChecked] = useState<{ outcome: Outcome; isWaiting: boolean } | null>(null)
  const { locale } = useAppConfig()
  const zone = useViewerZone()

  // Another outcome is announced wherever the user is.
  const endCheck = useEffectEvent(() => {
    const time = formatClock(Date.now(), zone, locale)
    const say = checked?.isWaiting ? m.cancellationNote_noOutcomeWaiting : m.cancellationNote_noOutcomeYet
    setStatusMessage(view.outcome === checked?.outcome ? say({ time }) : '')
    setChecked(null)
  })
  useEffect(() => {
    if (checked === null) return undefined
    const timer = setTimeout(() => endCheck(), CHECK_TAKES_MS)
    return () => clearTimeout(timer)
  }, [checked])

  /** `onDone` is called before the answer is shown, which an open form would take for somebody else's. */
  async function runAction(what: 'check' | 'handled', body?: { note: string }, onDone?: () => void): Promise<void> {
    if (pendingAction) return
    setPendingAction(what)
    setProblem(null)
    setStatusMessage('')
    setChecked(null)
    try {
      const answer = await callDesk<CancellationView>(`/cancellations/${view.id}/${what}`, { method: 'POST', body })
      onDone?.()
      cancellationWatch.remember(answer)
      if (what === 'handled') setStatusMessage(m.cancellationNote_markedAsHandled())
      else if (answer.checked)
        setStatusMessage(m.cancellationNote_checkedFinding({ finding: describeRecheck(answer.checked) }))
      else {
        setStatusMessage(m.cancellationNote_checkingNow())
        const isWaiting = [view, answer].some(({ reason }) => reason === 'owner-signed-out')
        setChecked({ outcome: answer.outcome, isWaiting })
      }
    } catch (error) {
      setProblem(toProblemInfo(error))
    } finally {
      setPendingAction(null)
    }
  }
  return { pendingAction, problem, statusMessage, runAction }
}

function HandledForm({
  viewId,
  busy,
  isOver,
  onSend,
  onClose,
}: {
  viewId: string
  busy: boolean
  /** Somebody else has marked it meanwhile: what was typed can still be copied. */
  isOver: boolean
  onSend: (note: string, onDone: () => void) => void
  onClose: () => void
}) {
  const id = useId()
  const keptKey = `handled ${viewId}`
  const [note, setNote] = useKept(keptKey, '', isText)
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)

  // The button that opened the form is gone: focus the field.
  useEffect(() => field.current?.focus(), [])

  function submit() {
    if (isOver) return
    const noteError = findNoteError(note)
    setError(noteError)
    if (noteError) return field.current?.focus()
    onSend(note, () => {
      forgetText(keptKey)
      onClose()
    })
  }

  const hint = m.cancellationNote_keptWithYourName()
  return (
    <form
      noValidate
      className="mt-3 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field id={id} label={m.cancellationNote_noteLabel()} hint={hint} error={error} required>
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
      {isOver ? <output>{m.cancellationNote_alreadyHandled()}</output> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          tone="primary"
          size="small"
          aria-busy={busy}
          reason={busy ? m.cancellationNote_itIsBeingKept() : isOver ? m.cancellationNote_alreadyHandled() : null}
        >
          {m.cancellationNote_markAsHandled()}
        </Button>
        <Button size="small" onClick={onClose}>
          {m.cancellationNote_leaveAsItIs()}
        </Button>
      </div>
    </form>
  )
}

/** Manual actions for a cancellation that is not resolved: check the payment now, and mark it as handled. */
export function NeedsPersonActions({ view }: { view: CancellationView }) {
  const { pendingAction, problem, statusMessage, runAction } = useActions(view)
  const [isFormOpen, setFormOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const check = useRef<HTMLButtonElement>(null)
  // What is found may settle the cancellation: its section, which says so, gets the focus of the pressed button.
  const frame = useFocusLost<HTMLDivElement>(({ parentElement }) =>
    parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true }),
  )
  const mayBeHandled = view.outcome === 'needs-person' && view.handled === null

  function close() {
    setFormOpen(false)
    // Handling is final: the button that opened the form may not come back.
    requestAnimationFrame(() => (opener.current ?? check.current)?.focus())
  }

  return (
    <div ref={frame} className="mt-3">
      <div className="flex flex-wrap gap-2">
        <Button
          ref={check}
          size="small"
          aria-busy={pendingAction === 'check'}
          reason={pendingAction === 'check' ? m.cancellationNote_paymentIsBeingRead() : null}
          onClick={() => void runAction('check')}
        >
          {pendingAction === 'check' ? m.cancellationNote_checking() : m.cancellationNote_checkAgain()}
        </Button>
        {mayBeHandled && !isFormOpen ? (
          <Button ref={opener} size="small" onClick={() => setFormOpen(true)}>
            {m.cancellationNote_markAsHandledPart()}
          </Button>
        ) : null}
      </div>
      {isFormOpen ? (
        <HandledForm
          viewId={view.id}
          isOver={!mayBeHandled && pendingAction !== 'handled'}
          busy={pendingAction === 'handled'}
          onSend={(note, onDone) => void runAction('handled', { note }, onDone)}
          onClose={close}
        />
      ) : null}
      {problem ? (
        <div className="mt-3">
          <ProblemNotice problem={problem} />
        </div>
      ) : null}
      {/* What a person finds out is shown above; of an open one, nothing else tells that it was checked. */}
      <output
        aria-live="polite"
        className={view.closed ? 'sr-only' : 'mt-2 block text-[0.8125rem] text-ink-soft empty:mt-0'}
      >
        {statusMessage}
      </output>
    </div>
  )
}
