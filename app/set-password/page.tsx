import type { Metadata } from 'next'
import { AuthLayout } from '@/components/layout/auth-layout'
import { SetPassword } from './set-password'
import * as words from '@/lib/words/signing-in'

export const metadata: Metadata = { title: words.setYourPassword }

/** Where a one-time link leads. Its secret stands behind `#` and is never part of a request for a page. */
export default function SetPasswordPage() {
  return (
    <AuthLayout title={words.setYourPassword}>
      <SetPassword />
      <noscript>
        <p className="mt-4 text-[0.8125rem] text-ink-soft">{words.debitdeskNeedsJavascriptForThis}</p>
      </noscript>
    </AuthLayout>
  )
}
