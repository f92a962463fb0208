import { SearchX } from 'lucide'
import { Icon } from './ui/icon'
import { buttonClasses } from './ui/button'
import { Link } from './link'
import { startPage } from '@/lib/words/page-failure'
import * as words from '@/lib/words/problems'

/** An address behind which there is nothing. */
export function NothingHere() {
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-center justify-center px-6 py-16 text-center">
      <Icon icon={SearchX} strokeWidth={1.5} className="size-8 text-ink-faint" />
      <h1 className="mt-4 text-xl font-semibold tracking-tight">{words.nothingHere}</h1>
      <p className="mt-2 text-ink-soft">{words.addressMayBeMistyped}</p>
      <Link href="/" className={`mt-6 ${buttonClasses('primary')}`}>
        {startPage}
      </Link>
    </div>
  )
}
