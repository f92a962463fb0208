import { Lock } from 'lucide-react'
import * as words from '@/lib/words/problems'

/** In place of a form that the user's role does not allow. */
export function RoleRefusal({ what }: { what: string }) {
  return (
    <div data-problem="refused" className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <Lock strokeWidth={1.5} className="size-8 text-ink-faint" />
      <p className="mt-3 text-base font-semibold">{words.yourRoleDoesNotAllow}</p>
      <p className="mt-1 text-ink-soft">{words.onlyAnAdmin(what)}</p>
    </div>
  )
}
