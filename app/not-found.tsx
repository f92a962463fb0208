import type { Metadata } from 'next'
import { NothingHere } from '@/components/nothing-here'

export const metadata: Metadata = { title: 'Nothing here' }

export default function NotFoundPage() {
  return <NothingHere />
}
