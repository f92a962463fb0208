'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { writePageAddress } from '@/lib/format/page-address'

/** Opens the page of an agreement by its id or handle. */
export function AgreementLookup() {
  const router = useRouter()
  const [words, setWords] = useState('')
  const [error, setError] = useState<string | null>(null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const page = writePageAddress('/agreements', words.trim())
    if (!page) return setError('Type an id or a handle.')
    // Next keeps /agreements/new for the form: no handle of that name can be opened here.
    if (words.trim().toLowerCase() === 'new') return setError('This word is taken by the desk: use the id.')
    return router.push(page)
  }

  return (
    <search>
      <form onSubmit={submit} className="max-w-md">
        <Field id="agreement-lookup" label="Id or handle" error={error}>
          <div className="flex gap-2">
            <Input
              id="agreement-lookup"
              value={words}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={error ? true : undefined}
              aria-describedby={describeField('agreement-lookup', { error })}
              onChange={(event) => {
                setWords(event.target.value)
                setError(null)
              }}
            />
            <Button type="submit">Open</Button>
          </div>
        </Field>
      </form>
    </search>
  )
}
