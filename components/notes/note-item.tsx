'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, Trash2 } from 'lucide-react'
import { acceptGone, callDesk } from '@/lib/client/api-client'
import { useFocusLost } from '@/lib/client/page-lifecycle'
import { dayInZone, formatDay } from '@/lib/domain/dates/date'
import type { NoteView } from '@/lib/domain/notes'
import { buildPagePath } from '@/lib/domain/page-address'
import * as m from '@/lib/messages/m'
import { toProblemInfo } from '../feedback/problem-display'
import { ProblemNotice } from '../feedback/problem-notice'
import { useAppConfig } from '../layout/app-config'
import { Link } from '../layout/link'
import { Timestamp } from '../records/dates'
import { Button } from '../ui/button'
import { RichMessage } from '../ui/rich-message'
import { UntrustedText } from '../ui/untrusted-text'

function isOverdue(dueDay: string | null, zone: string): boolean {
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
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: () => callDesk(`/notes/${note.noteId}`, { method: 'DELETE' }).catch(acceptGone),
    onSuccess: refresh,
  })
  const isDone = note.doneAt !== null
  const page = buildPagePath(note.kind === 'payment' ? '/payments' : '/customers', note.objectId)
  const error = change.error ?? remove.error
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
            onClick={() => change.mutate(!isDone)}
          >
            {isDone ? <CircleDashed className="size-4" /> : <CircleCheck className="size-4" />}
            {isDone ? m.notes_reopen() : m.notes_markDone()}
          </Button>
        ) : null}
        {note.mayDelete ? (
          <Button
            size="small"
            tone="quiet"
            aria-label={m.notes_delete()}
            title={m.notes_delete()}
            reason={remove.isPending ? m.notes_onItsWay() : null}
            onClick={() => remove.mutate()}
          >
            <Trash2 className="size-4" />
          </Button>
        ) : null}
      </div>
      {error ? <ProblemNotice problem={toProblemInfo(error)} /> : null}
    </li>
  )
}
