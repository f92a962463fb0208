import { AuthLayout } from '@/components/layout/auth-layout'
import { SetPassword } from './set-password'

import { BrowserLanguageSwitch } from '@/components/layout/browser-language-switch'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'
export const generateMetadata = createMetadata(m.signingIn_setYourPassword)

/** The target of a one-time link. The secret is in the fragment, so it never appears in a page request. */
export default function SetPasswordPage() {
  return (
    <AuthLayout footer={<BrowserLanguageSwitch />} title={m.signingIn_setYourPassword()}>
      <SetPassword />
      <noscript>
        <p className="mt-4 text-[0.8125rem] text-ink-soft">{m.signingIn_debitdeskNeedsJavascriptForThis()}</p>
      </noscript>
    </AuthLayout>
  )
}
