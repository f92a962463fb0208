import type { Metadata } from 'next'
import { NothingHere } from '@/components/feedback/refusals'

import * as m from '@/lib/messages/m'
export const generateMetadata = (): Metadata => ({ title: m.problems_nothingHere() })

export default function NotFoundPage() {
  return <NothingHere />
}
