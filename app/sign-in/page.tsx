import { redirect } from 'next/navigation'
import { AuthLayout } from '@/components/layout/auth-layout'
import { BrowserLanguageSwitch } from '@/components/layout/browser-language-switch'
import { ProviderButton, SignInForm } from './sign-in-form'
import { EnrolFactor, EnterFactor } from './second-step'
import { PasskeyButton } from './passkey-button'
import { parseCallbackPath } from '@/lib/server/auth/callback-path'
import { readSession } from '@/lib/server/auth/session'
import { getDeskOrigin } from '@/lib/server/auth/session-cookie'
import { isMailSet } from '@/lib/server/mail/transport'
import { getSettings } from '@/lib/server/runtime/settings'
import { requireStore } from '@/lib/server/store/store'
import { allowsPasskeys } from '@/lib/server/second-factor/passkeys'
import { readPageFactors } from '@/lib/server/second-factor/pending-session'
import { hasPasswordUsers } from '@/lib/server/auth/users'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.signingIn_signIn)

type Search = Promise<Record<string, string | string[] | undefined>>

/** Explains a failed sign-in at the provider; null if `error` is about something else. */
function explainProviderError(error: unknown, name: string): string | null {
  if (typeof error !== 'string' || error === 'CredentialsSignin') return null
  if (error === 'NoRole') return m.signingIn_knowsYouButGivesYou({ name })
  if (error === 'AccessDenied') return m.signingIn_wasCancelledOrRefused({ name })
  if (error === 'Disabled') return m.signingIn_yourAccountOnThisDesk()
  if (error === 'Unavailable') return m.signingIn_signingInDoesNotWork()
  return m.signingIn_signingInWithDidNot({ name })
}

/** The sign-in page; signed-in users are redirected, but not past the notice that a sign-in at the provider failed here. */
export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const { callbackUrl, error, again } = await searchParams
  const settings = getSettings()
  const provider = settings.OIDC_ISSUER === undefined ? null : new URL(settings.OIDC_ISSUER).host
  const destination = parseCallbackPath(callbackUrl, getDeskOrigin())
  // The store failed while somebody came back from the provider, and may still: it is asked for nothing here.
  const isUnavailable = provider !== null && error === 'Unavailable'
  const trouble = provider === null ? null : explainProviderError(error, provider)
  const isAgain = provider !== null && (again === '1' || (trouble !== null && destination === '/signed-in'))
  const readsStore = !isAgain && !isUnavailable
  if (readsStore && (await readSession())) redirect(destination)
  const pending = readsStore ? await readPageFactors() : null
  if (pending?.due) {
    return (
      <AuthLayout
        title={pending.due === 'enter' ? m.secondFactor_enterTitle() : m.secondFactor_enrolTitle()}
        footer={<BrowserLanguageSwitch />}
      >
        {pending.due === 'enter' ? (
          <EnterFactor factors={pending} destination={destination} />
        ) : (
          <EnrolFactor factors={pending} destination={destination} />
        )}
      </AuthLayout>
    )
  }
  const hasPasswords =
    !isAgain &&
    settings.PASSWORDS === 'on' &&
    (provider === null || isUnavailable || (await hasPasswordUsers(await requireStore())))
  return (
    <AuthLayout
      title={m.signingIn_signIn()}
      below={settings.DEMO_SIGN_INS ? m.signingIn_tryingItOutTheDemo() : null}
      footer={<BrowserLanguageSwitch />}
    >
      {trouble ? (
        <p
          role="alert"
          className="mb-4 rounded-md border border-negative/30 bg-negative-soft px-3 py-2 font-medium text-negative"
        >
          {trouble}
        </p>
      ) : null}
      {provider === null ? null : (
        <ProviderButton
          name={provider}
          destination={destination}
          anew={isAgain || (trouble !== null && !isUnavailable)}
        />
      )}
      {provider !== null && hasPasswords ? (
        <p className="my-4 text-center text-[0.8125rem] text-ink-soft">{m.signingIn_orWithAPassword()}</p>
      ) : null}
      {hasPasswords ? <SignInForm destination={destination} refused={error === 'CredentialsSignin'} /> : null}
      {allowsPasskeys() && !isAgain ? <PasskeyButton destination={destination} /> : null}
      {hasPasswords && isMailSet() ? (
        <p className="mt-4 text-center text-[0.8125rem]">
          {/* oxlint-disable-next-line next/no-html-link-for-pages -- a full load: nothing of this page goes along */}
          <a href="/forgot-password" className="text-accent-ink underline">
            {m.signingIn_forgotYourPassword()}
          </a>
        </p>
      ) : null}
      {hasPasswords && !isMailSet() ? (
        <p className="mt-4 text-center text-[0.8125rem] text-ink-soft">{m.signingIn_askForALink()}</p>
      ) : null}
      <noscript>
        <p className="mt-4 text-[0.8125rem] text-ink-soft">{m.signingIn_debitdeskNeedsJavascriptToSign()}</p>
      </noscript>
    </AuthLayout>
  )
}
