import type { ReactNode } from 'react'
import { Logo } from '../logo'
import * as words from '@/lib/words/signing-in'

type DoorProps = {
  title: string
  /** Stands below the card. */
  below?: ReactNode
  children: ReactNode
}

/** The frame of what stands outside of the desk: signing in, and what leads there. Its top stays where it is whatever is said below. */
export function Door({ title, below, children }: DoorProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-5 pt-[max(2.5rem,calc(50dvh-15.5rem))] pb-10">
      <div className="w-full max-w-[22.5rem]">
        <div className="mb-6 flex items-center justify-center gap-2.5">
          <Logo className="size-8" />
          <span className="text-lg font-semibold tracking-tight">{words.debitdesk}</span>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6 shadow-raised sm:p-7">
          <h1 className="mb-5 text-xl font-semibold tracking-tight">{title}</h1>
          {children}
        </div>
        {below ? <p className="mt-5 text-center text-[0.8125rem] text-ink-soft">{below}</p> : null}
      </div>
    </main>
  )
}
