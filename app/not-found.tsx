import type { Metadata } from 'next'
import { Logo } from '@/components/layout/auth-layout'
import { NothingHere } from '@/components/feedback/refusals'
import * as words from '@/lib/words/problems'
import { product } from '@/lib/words/shell'

export const metadata: Metadata = { title: words.nothingHere }

export default function NotFoundPage() {
  return (
    <main>
      <p className="flex items-center justify-center gap-2.5 pt-10 text-base font-semibold tracking-tight">
        <Logo className="size-7" />
        {product}
      </p>
      <NothingHere />
    </main>
  )
}
