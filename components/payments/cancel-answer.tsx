'use client'

import type { CancellationView } from '@/lib/contract/cancellation'
import { isGrave } from '@/lib/format/outcome'
import { ProblemNotice } from '../problem-notice'
import { Checkbox } from '../ui/checkbox'
import { CancellationNote } from './cancellation-note'
import { ChangedNotice } from './changed-notice'
import { type CancelAnswer as Answer, explainEnd } from './read-cancel-answer'
import * as words from '@/lib/words/cancelling'

type CancelAnswerProps = {
  answer: Answer
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
}

/** A cancellation that goes on changing while the dialog is open. */
function LiveNote({ view }: { view: CancellationView }) {
  // All else is told by the announcer.
  return (
    <div role={isGrave(view.outcome) ? 'alert' : undefined}>
      <CancellationNote view={view} />
    </div>
  )
}

/** What the desk answered, in the dialog that asked. */
export function CancelAnswer({ answer, confirmed, onConfirm }: CancelAnswerProps) {
  const end = explainEnd(answer)
  switch (answer.kind) {
    case 'refused':
      return (
        <ProblemNotice facts={answer.facts}>
          {answer.facts.code === 'store-unavailable' && !answer.facts.detail ? (
            <p className="mt-1 text-ink-soft">{words.nothingSent}</p>
          ) : null}
        </ProblemNotice>
      )
    case 'lost':
      return (
        <ProblemNotice facts={answer.facts}>
          <p className="mt-1 text-ink-soft">{words.lost}</p>
        </ProblemNotice>
      )
    case 'changed':
      return (
        <div className="grid gap-3">
          <ChangedNotice difference={answer.difference} payment={answer.payment} />
          <p className="text-ink-soft">{end ? words.nothingSent : words.lookAgain}</p>
        </div>
      )
    case 'unread':
      return (
        <div role="alert" className="rounded-lg border border-caution/25 bg-caution-soft/60 p-4">
          <p className="font-semibold">{words.notReadAgain}</p>
          <p className="mt-1">{words.mayHaveChanged}</p>
          <div className="mt-3 flex items-start gap-2.5 font-medium">
            <Checkbox
              id="cancel-unread"
              className="mt-0.5"
              checked={confirmed}
              onChange={(event) => onConfirm(event.target.checked)}
            />
            <label htmlFor="cancel-unread">{words.allTheSame}</label>
          </div>
        </div>
      )
    default:
      return <LiveNote view={answer.view} />
  }
}
