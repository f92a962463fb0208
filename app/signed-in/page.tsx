import type { Metadata } from 'next'
import { Door } from '@/components/sign-in/door'
import { Link } from '@/components/link'
import { requirePageSession } from '@/lib/server/session'

export const metadata: Metadata = { title: 'Signed in' }

/** Where somebody arrives who signed in again in a tab of its own, so that the page which asked for it stays as it is. */
export default async function SignedInPage() {
  const { email } = await requirePageSession()
  return (
    <Door title="You are signed in">
      <p className="wrap-anywhere">
        As <span className="font-medium">{email}</span>. Go back to the tab that asked for it: everything there is as
        you left it. This tab can be closed.
      </p>
      <p className="mt-4">
        <Link href="/" className="font-medium text-accent-ink underline">
          Or go on here
        </Link>
      </p>
    </Door>
  )
}
