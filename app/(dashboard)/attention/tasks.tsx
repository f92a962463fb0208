'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { NoteItem } from '@/components/notes/note-item'
import { callDesk } from '@/lib/client/api-client'
import { useLiveQuery } from '@/lib/client/use-live-changes'
import type { NoteView } from '@/lib/domain/notes'
import * as m from '@/lib/messages/m'

const queryKey = ['notes', 'tasks']

/** The reader's open tasks, those that are due first. */
export function Tasks({ initialTasks }: { initialTasks: NoteView[] }) {
  useLiveQuery(queryKey, ['note'], { countsLoad: false })
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callDesk<NoteView[]>('/notes/tasks', { signal, quiet: true }),
    initialData: initialTasks,
    // The page may be one from before, and a visit later has its own.
    staleTime: 0,
    gcTime: 0,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="assigned-to-me" className="rounded-lg border border-line bg-surface p-5 max-md:p-4">
      <h2 id="assigned-to-me" ref={heading} tabIndex={-1} className="font-semibold">
        {m.attention_assignedToMe()}
      </h2>
      {data.length === 0 ? (
        <p className="mt-1 text-ink-soft">{m.attention_nothingAssigned()}</p>
      ) : (
        <ul aria-label={m.attention_assignedToMe()} className="mt-1 grid">
          {data.map((note) => (
            <NoteItem key={note.noteId} note={note} hasLink onFocusLost={() => heading.current?.focus()} />
          ))}
        </ul>
      )}
    </section>
  )
}
