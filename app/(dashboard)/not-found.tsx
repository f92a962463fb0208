import type { Metadata } from 'next'
import { NothingHere } from '@/components/feedback/refusals'
import * as words from '@/lib/words/problems'

export const metadata: Metadata = { title: words.nothingHere }

export default function NotFoundPage() {
  return <NothingHere />
}
