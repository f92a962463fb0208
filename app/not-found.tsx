import { Logo } from '@/components/layout/auth-layout'
import { NothingHere } from '@/components/feedback/refusals'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.problems_nothingHere)

export default function NotFoundPage() {
  return (
    <main>
      <p className="flex items-center justify-center gap-2.5 pt-10 text-base font-semibold tracking-tight">
        <Logo className="size-7" />
        {m.shell_product()}
      </p>
      <NothingHere />
    </main>
  )
}
