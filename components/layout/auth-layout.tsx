import type { ReactNode } from 'react'
import { Toaster } from '../feedback/toaster'
import * as m from '@/lib/messages/m'

export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 8.5h6.2a7.5 7.5 0 0 1 0 15H9M22.5 16H10.2m3.6-3.8L10 16l3.8 3.8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

type AuthLayoutProps = {
  title: string
  /** Below the card. */
  below?: ReactNode
  /** At the end of the page. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * The layout of pages outside of the dashboard, such as signing in. Its top doesn't move when messages appear below.
 */
export function AuthLayout({ title, below, footer, children }: AuthLayoutProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-5 pt-[max(2.5rem,calc(50dvh-15.5rem))] pb-10">
      <div className="w-full max-w-[22.5rem]">
        <div className="mb-6 flex items-center justify-center gap-2.5">
          <Logo className="size-8" />
          <span className="text-lg font-semibold tracking-tight">{m.signingIn_debitdesk()}</span>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6 shadow-raised sm:p-7">
          <h1 className="mb-5 text-xl font-semibold tracking-tight">{title}</h1>
          {children}
        </div>
        {below ? <p className="mt-5 text-center text-[0.8125rem] text-ink-soft">{below}</p> : null}
        {footer}
      </div>
      <Toaster />
    </main>
  )
}
