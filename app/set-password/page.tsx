import type { Metadata } from 'next'
import { Door } from '@/components/sign-in/door'
import { SetPassword } from './set-password'

export const metadata: Metadata = { title: 'Set your password' }

/** Where a one-time link leads. Its secret stands behind `#` and is never part of a request for a page. */
export default function SetPasswordPage() {
  return (
    <Door title="Set your password">
      <SetPassword />
      <noscript>
        <p className="mt-4 text-[0.8125rem] text-ink-soft">Debitdesk needs JavaScript for this.</p>
      </noscript>
    </Door>
  )
}
