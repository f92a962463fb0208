'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { describeField, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { writePageAddress } from '@/lib/format/page-address'
import * as words from '@/lib/words/agreements'

/** Opens the page of an agreement by its id or handle. */
export function AgreementLookup() {
  const router = useRouter()
  const [error, setError] = useState<string | null>(null)

  // What stands in the form, not in our state: it may have been typed before this script ran.
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('words')
    const wanted = typeof typed === 'string' ? typed.trim() : ''
    const page = writePageAddress('/agreements', wanted)
    if (!page) return setError(wanted === '' ? words.typeAnId : words.thisCannotStand)
    return router.push(keepMerchant(page))
  }

  return (
    <search>
      <form onSubmit={submit} className="max-w-md">
        <Field id="agreement-lookup" label={words.idOrHandle} error={error}>
          <div className="flex gap-2">
            <Input
              id="agreement-lookup"
              name="words"
              autoComplete="off"
              spellCheck={false}
              aria-invalid={error ? true : undefined}
              aria-describedby={describeField('agreement-lookup', { error })}
              onChange={() => setError(null)}
            />
            <Button type="submit">{words.open}</Button>
          </div>
        </Field>
      </form>
    </search>
  )
}
