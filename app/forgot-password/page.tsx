import { redirect } from 'next/navigation'
import { AuthLayout } from '@/components/layout/auth-layout'
import { BrowserLanguageSwitch } from '@/components/layout/browser-language-switch'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import { isMailSet } from '@/lib/server/mail/transport'
import { getSettings } from '@/lib/server/runtime/settings'
import { ForgotPassword } from './forgot-password'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.signingIn_forgotYourPassword)

/** Asks for a link to set a new password; only where mail is set. */
export default function ForgotPasswordPage() {
  if (!isMailSet() || getSettings().PASSWORDS === 'off') redirect('/sign-in')
  return (
    <AuthLayout footer={<BrowserLanguageSwitch />} title={m.signingIn_forgotYourPassword()}>
      <ForgotPassword />
      <noscript>
        <p className="mt-4 text-[0.8125rem] text-ink-soft">{m.signingIn_debitdeskNeedsJavascriptForThis()}</p>
      </noscript>
    </AuthLayout>
  )
}
