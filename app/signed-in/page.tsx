import { AuthLayout } from '@/components/layout/auth-layout'
import { Link } from '@/components/layout/link'
import { RichMessage } from '@/components/ui/rich-message'
import { requirePageSession } from '@/lib/server/auth/session'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.signingIn_youAreSignedIn)

/** The target of a sign-in in a separate tab; the page that asked for it stays as it is. */
export default async function SignedInPage() {
  const { email } = await requirePageSession('account')
  return (
    <AuthLayout title={m.signingIn_youAreSignedIn()}>
      <p className="wrap-anywhere">
        <RichMessage message={m.signingIn_signedInAs} parts={{ email: <span className="font-medium">{email}</span> }} />
      </p>
      <p className="mt-4">
        <Link href="/" className="font-medium text-accent-ink underline">
          {m.signingIn_goOnHere()}
        </Link>
      </p>
    </AuthLayout>
  )
}
