'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useId } from 'react'
import { hasVisibleText } from '@/lib/api-contract/visible-text'
import { callDesk, createUuid, isLost } from '@/lib/client/api-client'
import { forgetText, isKeptRequest, isText, type KeptRequest, useKept } from '@/lib/client/kept-text'
import { MAX_NOTE_LENGTH, type NoteKind, type NoteRequest, type Notes } from '@/lib/domain/notes'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import * as m from '@/lib/messages/m'
import { toProblemInfo } from '../feedback/problem-display'
import { showToast } from '../feedback/toast-store'
import { ProblemNotice } from '../feedback/problem-notice'
import { useAppConfig } from '../layout/app-config'
import { Button } from '../ui/button'
import { DateField } from '../ui/date-field'
import { Field } from '../ui/field'
import { Select, Textarea } from '../ui/input'
import { isOverdue, NoteItem } from './note-item'

type Target = { kind: NoteKind; objectId: string; objectName: string }

/** A form for a note, which becomes a task when it is assigned to somebody. */
function NoteForm({ target, people, notes }: { target: Target } & Pick<Notes, 'people' | 'notes'>) {
  const id = useId()
  const client = useQueryClient()
  const { connectionId, schemeZone } = useAppConfig()
  const keptKey = `note ${connectionId ?? ''} ${target.objectId}`
  const [text, setText] = useKept(keptKey, '', isText)
  const [keptAssignee, setAssigneeId] = useKept(`${keptKey} assignee`, '', isText)
  const [dueDay, setDueDay] = useKept(`${keptKey} due`, '', isText)
  // The note that may have been added: sent again, it is the same one.
  const sentKey = `${keptKey} sent`
  const [sent, setSent] = useKept<KeptRequest | null>(sentKey, null, isKeptRequest)
  // Whoever was chosen may have left the team since.
  const assigneeId = people.some(({ userId }) => userId === keptAssignee) ? keptAssignee : ''
  const dueHint = dueDay !== '' && isOverdue(dueDay, schemeZone) ? m.notes_dayHasPassed() : null

  function takeAdded(added: NoteRequest): void {
    setSent(null)
    forgetText(sentKey)
    // The next note may have been begun.
    if (text === added.text) {
      setText('')
      forgetText(keptKey)
    }
    if (assigneeId === (added.assigneeId ?? '')) setAssigneeId('')
    if (dueDay === (added.dueDay ?? '')) setDueDay('')
    showToast(m.notes_added(), '', { isBrief: true })
  }

  const add = useMutation({
    mutationFn: (body: NoteRequest) => callDesk('/notes', { method: 'POST', body }),
    onSuccess: (_reply, added) => takeAdded(added),
    // Also where nobody knows whether it was added.
    onSettled: () => client.invalidateQueries({ queryKey: ['notes'] }),
  })

  // The reply was lost, and the list shows that it was added.
  const isStored = sent !== null && !add.isPending && notes.some(({ noteId }) => noteId === sent.key)
  const takeStored = useEffectEvent(() => {
    if (sent) takeAdded(JSON.parse(sent.text))
    add.reset()
  })
  useEffect(() => {
    if (isStored) takeStored()
  }, [isStored])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!hasVisibleText(text) || add.isPending) return
    const note = {
      ...target,
      objectName: target.objectName.slice(0, 200),
      text,
      assigneeId: assigneeId || null,
      dueDay: (assigneeId && dueDay) || null,
    }
    const body = JSON.stringify(note)
    const noteId = sent?.text === body ? sent.key : createUuid()
    setSent({ text: body, key: noteId })
    add.mutate({ ...note, noteId })
  }

  return (
    <form onSubmit={submit} className="grid max-w-2xl gap-3">
      <Field id={`${id}-text`} label={m.notes_note()}>
        <Textarea
          id={`${id}-text`}
          rows={2}
          maxLength={MAX_NOTE_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-end gap-3">
        <Field id={`${id}-assignee`} label={m.notes_assignTo()}>
          <Select id={`${id}-assignee`} value={assigneeId} onChange={(event) => setAssigneeId(event.target.value)}>
            <option value="">{m.notes_nobody()}</option>
            {people.map(({ userId, email }) => (
              <option key={userId} value={userId}>
                {email}
              </option>
            ))}
          </Select>
        </Field>
        {assigneeId === '' ? null : (
          <DateField
            id={`${id}-due`}
            label={m.notes_due()}
            hint={dueHint}
            value={dueDay}
            onChange={(event) => setDueDay(event.target.value)}
          />
        )}
        <Button
          type="submit"
          reason={add.isPending ? m.notes_onItsWay() : !hasVisibleText(text) ? m.notes_writeSomething() : null}
        >
          {m.notes_add()}
        </Button>
      </div>
      {add.error ? (
        <ProblemNotice
          problem={toProblemInfo(add.error)}
          doubt={isLost(add.error) ? m.notes_mayHaveBeenAdded() : null}
        />
      ) : null}
    </form>
  )
}

/** The notes of one object, the newest first, below a form for another. */
export function NotesList({ onFocusLost, ...target }: Target & { onFocusLost: () => void }) {
  const { kind, objectId } = target
  const queryKey = ['notes', kind, objectId]
  useLiveQuery(queryKey, ['note'], { ids: [objectId], countsLoad: false })
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      callDesk<Notes>(`/notes?${new URLSearchParams({ kind, object: objectId }).toString()}`, { signal, quiet: true }),
  })
  if (error && !data) return <ProblemNotice problem={toProblemInfo(error)} onRetry={() => void refetch()} />
  if (!data) return <p className="min-h-9 text-ink-soft">{m.activity_loading()}</p>
  return (
    <div className="grid gap-3">
      {data.notes.length === 0 ? (
        <p className="text-ink-soft">{m.notes_none()}</p>
      ) : (
        <ul aria-label={m.notes_notes()} className="grid max-w-2xl">
          {data.notes.map((note) => (
            <NoteItem key={note.noteId} note={note} onFocusLost={onFocusLost} />
          ))}
        </ul>
      )}
      {data.mayWrite ? <NoteForm target={target} people={data.people} notes={data.notes} /> : null}
    </div>
  )
}
