'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { acceptGone, callDesk } from '@/lib/client/api-client'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { dayInZone, formatDay } from '@/lib/domain/dates/date'
import type { NoteView } from '@/lib/domain/notes'
import { buildPagePath } from '@/lib/domain/page-address'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import * as m from '@/lib/messages/m'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { showToast } from '../feedback/toast-store'
import { useAppConfig } from '../layout/app-config'
import { Link } from '../layout/link'
import { Timestamp } from '../records/dates'
import { Button } from '../ui/button'
import { RichMessage } from '../ui/rich-message'
import { UntrustedText } from '../ui/untrusted-text'

export function isOverdue(dueDay: string | null, zone: string): boolean {
  return dueDay !== null && dueDay < dayInZone(Date.now(), zone)
}

/** Whose task it is and until when, or who did it. */
function Task({ note: { assignee, dueDay, doneBy } }: { note: NoteView }) {
  const { locale, schemeZone } = useAppConfig()
  if (assignee === null) return null
  if (doneBy !== null) return <span className="text-positive">{m.notes_doneBy({ doneBy })}</span>
  const isLate = isOverdue(dueDay, schemeZone)
  const day = dueDay === null ? null : formatDay(dueDay, locale)
  const due = day === null ? null : isLate ? m.notes_overdue({ day }) : m.notes_dueOn({ day })
  return (
    <span className={isLate ? 'font-medium text-negative' : 'text-ink'}>
      {[m.notes_assignedTo({ assignee }), due].filter((part) => part !== null).join(', ')}
    </span>
  )
}

/** Characters of a note that its buttons are told apart by. */
const NAME_LENGTH = 60

type DeleteNoteProps = { name: string; isBusy: boolean; onDelete: () => void }

/** Deletes a note, after a question in its place. */
function DeleteNote({ name, isBusy, onDelete }: DeleteNoteProps) {
  const [isAsking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  function keep(): void {
    setAsking(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (!isAsking)
    return (
      <Button
        ref={opener}
        size="small"
        tone="quiet"
        aria-label={`${m.notes_delete()}: ${name}`}
        title={m.notes_delete()}
        onClick={() => setAsking(true)}
      >
        <Trash2 className="size-4" />
      </Button>
    )
  return (
    <>
      <Button
        ref={focusButton}
        size="small"
        tone="quiet-danger"
        // A key still held down from the first press must not confirm.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        reason={isBusy ? m.notes_onItsWay() : null}
        onClick={onDelete}
      >
        {m.notes_reallyDelete()}
      </Button>
      <Button size="small" tone="quiet" onClick={keep}>
        {m.notes_keep()}
      </Button>
    </>
  )
}

/** The question gets the focus of the button that asked it. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus()
}

type NoteItemProps = {
  note: NoteView
  /** Whether it names and leads to what it is about. */
  hasLink?: boolean
  /** Called when it disappears with the focus in it. */
  onFocusLost: () => void
}

/** A note with its task. */
export function NoteItem({ note, hasLink = false, onFocusLost }: NoteItemProps) {
  const client = useQueryClient()
  const item = useFocusLost<HTMLLIElement>(onFocusLost)
  const refresh = () => client.invalidateQueries({ queryKey: ['notes'] })
  const change = useMutation({
    mutationFn: (isDone: boolean) => callDesk(`/notes/${note.noteId}`, { method: 'PATCH', body: { isDone } }),
    onSuccess: (_reply, isDone) => {
      showToast(isDone ? m.notes_markedDone() : m.notes_reopened(), '', { isBrief: true })
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: () => callDesk(`/notes/${note.noteId}`, { method: 'DELETE' }).catch(acceptGone),
    onSuccess: () => {
      showToast(m.notes_deleted(), '', { isBrief: true })
      return refresh()
    },
  })
  const isDone = note.doneAt !== null
  const page = buildPagePath(note.kind === 'payment' ? '/payments' : '/customers', note.objectId)
  const error = change.error ?? remove.error
  const excerpt = Array.from(note.text).slice(0, NAME_LENGTH).join('')
  const name = escapeInvisible(hasLink && note.objectName ? `${note.objectName}: ${excerpt}` : excerpt)
  return (
    <li
      ref={item}
      data-note={isDone ? 'done' : note.assignee ? 'task' : 'note'}
      className="border-b border-line py-2.5 last:border-b-0"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          {hasLink && page ? (
            <Link href={page} className="font-medium text-accent-ink hover:underline">
              <UntrustedText>{note.objectName || note.objectId}</UntrustedText>
            </Link>
          ) : null}
          <p className="wrap-anywhere whitespace-pre-wrap">
            <UntrustedText>{note.text}</UntrustedText>
          </p>
          <p className="flex flex-wrap gap-x-3 text-[0.8125rem] text-ink-soft">
            <span>
              <RichMessage
                message={m.notes_by}
                parts={{ author: note.author, at: <Timestamp value={note.createdAt} /> }}
              />
            </span>
            <Task note={note} />
          </p>
        </div>
        {note.mayChange ? (
          <Button
            size="small"
            reason={change.isPending ? m.notes_onItsWay() : null}
            aria-label={`${isDone ? m.notes_reopen() : m.notes_markDone()}: ${name}`}
            onClick={() => change.mutate(!isDone)}
          >
            {isDone ? <CircleDashed className="size-4" /> : <CircleCheck className="size-4" />}
            {isDone ? m.notes_reopen() : m.notes_markDone()}
          </Button>
        ) : null}
        {note.mayDelete ? <DeleteNote name={name} isBusy={remove.isPending} onDelete={() => remove.mutate()} /> : null}
      </div>
      {error ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
    </li>
  )
}
