'use client'

import { useRef } from 'react'
import { useLazyModule } from '@/lib/client/use-lazy-module'
import { mergeClasses } from '../ui/merge-classes'
import type { NoteKind } from '@/lib/domain/notes'
import * as m from '@/lib/messages/m'

const loadNotes = async () => (await import('./notes-list')).NotesList

type NotesSectionProps = {
  kind: NoteKind
  objectId: string | null
  objectName: string
  /** Whether the reader may write notes: then the form's space is reserved, so that nothing below moves. */
  mayWrite: boolean
}

/** The team's notes on a payment or customer, loaded after everything more important. */
export function NotesSection({ kind, objectId, objectName, mayWrite }: NotesSectionProps) {
  const { part: NotesList, failed } = useLazyModule(objectId !== null, loadNotes)
  const heading = useRef<HTMLHeadingElement>(null)
  if (objectId === null) return null
  return (
    <section
      aria-labelledby={`notes-${kind}`}
      className={mergeClasses('border-t border-line py-4', mayWrite ? 'min-h-68 max-md:min-h-76' : 'min-h-21')}
      data-notes=""
    >
      <h2 id={`notes-${kind}`} ref={heading} tabIndex={-1} className="mb-2 text-[0.8125rem] font-semibold">
        {m.notes_notes()}
      </h2>
      {NotesList ? (
        <NotesList
          key={objectId}
          kind={kind}
          objectId={objectId}
          objectName={objectName}
          onFocusLost={() => heading.current?.focus()}
        />
      ) : null}
      {failed ? <p role="alert">{m.notes_couldNotBeLoaded()}</p> : null}
    </section>
  )
}
