import { CircleUserRound } from 'lucide-react'
import type { Role } from '@/lib/contract/permission'
import { SignOutButton } from './sign-out-button'
import { ThemeSwitch } from './theme-switch'

const roleNames: Record<Role, string> = { admin: 'Admin', support: 'Support', viewer: 'Viewer' }

/** Who is signed in, the theme and the way out: in sight on a desk, behind one button on a phone. */
export function Account({ email, role }: { email: string; role: Role }) {
  return (
    <>
      <button
        type="button"
        popoverTarget="account"
        aria-label="Account"
        className="flex size-11 items-center justify-center rounded-md text-ink-soft hover:bg-sunken md:hidden"
      >
        <CircleUserRound aria-hidden="true" className="size-5.5" strokeWidth={1.75} />
      </button>
      <div
        id="account"
        popover="auto"
        className="text-ink max-md:inset-auto max-md:top-14 max-md:right-3 max-md:w-72 max-md:rounded-lg max-md:bg-raised max-md:p-4 max-md:shadow-panel md:static md:block md:w-auto md:border-t md:border-line md:bg-transparent md:px-5 md:pt-4"
      >
        <p className="truncate text-[0.8125rem] font-medium" title={email}>
          {email}
        </p>
        <p className="text-xs text-ink-soft">{roleNames[role]}</p>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
          <ThemeSwitch />
          <SignOutButton className="-mr-2.5 h-8 rounded-md px-2.5 text-[0.8125rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink max-md:h-11" />
        </div>
      </div>
    </>
  )
}
