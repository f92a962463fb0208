import { NothingHere } from '@/components/feedback/refusals'

import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.problems_nothingHere)

export default function NotFoundPage() {
  return <NothingHere />
}
