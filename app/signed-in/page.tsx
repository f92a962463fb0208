import type { Metadata } from 'next'
import { AuthLayout } from '@/components/layout/auth-layout'
import { Link } from '@/components/layout/link'
import { requirePageSession } from '@/lib/server/auth/session'
import * as words from '@/lib/words/signing-in'

export const metadata: Metadata = { title: words.youAreSignedIn }

/** The target of a sign-in in a separate tab; the page that asked for it stays as it is. */
export default async function SignedInPage() {
  const { email } = await requirePageSession()
  return (
    <AuthLayout title={words.youAreSignedIn}>
      <p className="wrap-anywhere">
        {words.signedInAs.before}
        <span className="font-medium">{email}</span>
        {words.signedInAs.after}
      </p>
      <p className="mt-4">
        <Link href="/" className="font-medium text-accent-ink underline">
          {words.goOnHere}
        </Link>
      </p>
    </AuthLayout>
  )
}
