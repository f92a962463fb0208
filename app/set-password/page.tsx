import { SetPassword } from './set-password'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.signingIn_setYourPassword)

/** The target of a one-time link. The secret is in the fragment, so it never appears in a page request. */
export default function SetPasswordPage() {
  return <SetPassword />
}
