'use client'

import { type ComponentProps, useState } from 'react'
import { Input } from '../ui/input'
import * as words from '@/lib/words/signing-in'

/** A password that can be looked at while it is typed; the current one unless `autoComplete` says that it is a new one. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input
        autoComplete="current-password"
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="w-full pr-16"
      />
      <button
        type="button"
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0.5 right-0.5 max-md:inset-y-0 rounded-md px-3 text-[0.8125rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink"
      >
        {shown ? words.hide : words.show}
      </button>
    </div>
  )
}
