import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { Logo } from '@/components/logo'
import { readCallbackPath } from '@/lib/server/callback-path'
import { readSession } from '@/lib/server/session'
import { getDeskOrigin } from '@/lib/server/session-cookie'
import { getSettings } from '@/lib/server/settings'
import { SignInForm } from './sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

type Search = Promise<Record<string, string | string[] | undefined>>

/** Signing in; who is signed in already goes straight on. */
export default async function SignInPage({ searchParams }: { searchParams: Search }) {
  const { callbackUrl, error } = await searchParams
  const destination = readCallbackPath(callbackUrl, getDeskOrigin())
  if (await readSession()) redirect(destination)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-5 py-10">
      <div className="w-full max-w-[22.5rem]">
        <div className="mb-6 flex items-center justify-center gap-2.5">
          <Logo className="size-8" />
          <span className="text-lg font-semibold tracking-tight">Debitdesk</span>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6 shadow-raised sm:p-7">
          <h1 className="mb-5 text-xl font-semibold tracking-tight">Sign in</h1>
          <SignInForm destination={destination} refused={error === 'CredentialsSignin'} />
          <noscript>
            <p className="mt-4 text-[0.8125rem] text-ink-soft">Debitdesk needs JavaScript to sign you in.</p>
          </noscript>
        </div>
        {getSettings().DEMO_SIGN_INS ? (
          <p className="mt-5 text-center text-[0.8125rem] text-ink-soft">
            Trying it out? The demo sign-ins stand in the terminal that started the desk.
          </p>
        ) : null}
      </div>
    </main>
  )
}
