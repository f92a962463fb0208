import type { Metadata } from 'next'
import { AuthLayout } from '@/components/layout/auth-layout'
import { SetPassword } from './set-password'
import * as words from '@/lib/words/signing-in'

export const metadata: Metadata = { title: words.setYourPassword }

/** The target of a one-time link. The secret is in the fragment, so it never appears in a page request. */
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
