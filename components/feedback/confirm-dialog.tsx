'use client'

import { joinList } from '@/lib/language/join-list'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { isLost } from '@/lib/client/api-client'
import { toProblemInfo } from './problem-display'
import { ProblemNotice } from './problem-notice'
import { UntrustedText } from '../ui/untrusted-text'
import { AlertDialog } from '../ui/alert-dialog'
import { Button } from '../ui/button'
import { InputField } from '../ui/field'
import * as m from '@/lib/messages/m'

type ConfirmDialogProps = {
  title: ReactNode
  /** Text that must be typed, any of these; null if a click is enough. */
  typed: { label: string; anyOf: readonly string[] } | null
  /** Whether what `children` asks for is there; it shows what is missing itself. */
  validate?: () => boolean
  /** Labels of the confirming and the cancelling button. */
  confirmLabel: string
  cancelLabel: string
  /** The action. If it throws, the dialog stays open and shows the error. */
  run: () => Promise<void>
  onClose: () => void
  /** As of AlertDialog. */
  finalFocus?: () => HTMLElement | null | false
  /** Describes the consequences. */
  children: ReactNode
}

/** Confirms an irreversible action. The initial focus is on the field or the safe button. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, typed, validate, confirmLabel, cancelLabel, run, onClose, finalFocus, children } = props
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const cancelButton = useRef<HTMLButtonElement>(null)
  const [text, setText] = useState('')
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const busy = useRef(false)

  const isTyped = typed === null || typed.anyOf.includes(text.trim())
  const reason = isRunning ? m.forms_requestIsOnItsWay() : isTyped ? null : m.forms_typeTheFirst({ label: typed.label })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (reason || busy.current || validate?.() === false) return
    busy.current = true
    setRunning(true)
    setError(null)
    try {
      await run()
    } catch (thrown) {
      setError(thrown)
      setRunning(false)
    } finally {
      busy.current = false
    }
  }

  return (
    <AlertDialog
      title={title}
      onLeave={() => (isRunning ? undefined : onClose())}
      initialFocus={typed ? field : cancelButton}
      finalFocus={finalFocus}
    >
      <form onSubmit={(event) => void submit(event)} className="contents">
        <div className="grid gap-4 px-6 pt-4 pb-5 max-md:px-4">
          {children}
          {typed ? (
            <InputField
              id={id}
              label={typed.label}
              hint={<UntrustedText>{m.forms_typeToGoOn({ or: joinList(typed.anyOf, 'disjunction') })}</UntrustedText>}
              ref={field}
              value={text}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
            />
          ) : null}
          {error === null ? null : (
            <ProblemNotice
              problem={toProblemInfo(error)}
              doubt={isLost(error) ? m.forms_nobodyCanSayYetWhetherItWasDone() : null}
            />
          )}
        </div>
        <div className="sticky bottom-0 mt-auto flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-6 py-4 max-md:grid max-md:grid-cols-1 max-md:px-4 max-md:pb-[calc(1rem+env(safe-area-inset-bottom))]">
          <Button ref={cancelButton} onClick={onClose} reason={isRunning ? m.forms_requestIsOnItsWay() : null}>
            {cancelLabel}
          </Button>
          <Button aria-busy={isRunning || undefined} type="submit" tone="danger" reason={reason}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </AlertDialog>
  )
}
