import { CircleUserRound, Monitor, Moon, Sun } from 'lucide-react'
import type { Role } from '@/lib/contract/permission'
import { Link } from './link'
import { SignOutButton } from './sign-out-button'
import { ThemeSwitch } from './theme-switch'
import * as words from '@/lib/words/shell'

const roleNames: Record<Role, string> = { admin: words.admin, support: words.support, viewer: words.viewer }

const themes = [
  { value: 'light', name: words.light, icon: <Sun className="size-4" /> },
  { value: 'dark', name: words.dark, icon: <Moon className="size-4" /> },
  { value: 'system', name: words.asSystem, icon: <Monitor className="size-4" /> },
] as const

/** Who is signed in, the theme and the way out: in sight on a wide desk, else behind one button. */
export function Account({ email, role }: { email: string; role: Role }) {
  return (
    <>
      <button
        type="button"
        popoverTarget="account"
        aria-label={words.account}
        className="flex size-11 items-center justify-center rounded-md text-ink-soft hover:bg-sunken md:mx-auto xl:hidden"
      >
        <CircleUserRound strokeWidth={1.75} className="size-5.5" />
      </button>
      <div
        id="account"
        popover="auto"
        className="text-ink max-xl:inset-auto max-xl:w-72 max-xl:rounded-lg max-xl:bg-raised max-xl:p-4 max-xl:shadow-panel max-md:top-14 max-md:right-3 md:max-xl:bottom-4 md:max-xl:left-20 xl:static xl:block xl:w-auto xl:border-t xl:border-line xl:bg-transparent xl:px-5 xl:pt-4"
      >
        <Link
          href="/account"
          className="block truncate rounded-sm text-[0.8125rem] leading-6 font-medium hover:underline"
          title={`${words.yourAccount}: ${email}`}
        >
          {email}
        </Link>
        <p className="text-xs text-ink-soft">{roleNames[role]}</p>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
          <ThemeSwitch choices={themes} />
          <SignOutButton className="-mr-2.5 h-8 rounded-md px-2.5 text-[0.8125rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink max-md:h-11" />
        </div>
      </div>
    </>
  )
}
