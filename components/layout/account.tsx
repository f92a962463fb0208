import { Check, ChevronsUpDown, CircleUserRound, Monitor, Moon, Sun } from 'lucide-react'
import type { Role } from '@/lib/api-contract/permission'
import { rolesPath } from '@/lib/domain/accounts'
import { roleNames } from '@/lib/domain/roles'
import { TestBadge } from '../payments/badges'
import { SignOutButton, ThemeSwitch } from './account-controls'
import { Link } from './link'
import * as m from '@/lib/messages/m'

type MerchantSwitchProps = {
  /** The page's merchant. */
  current: string
  /** All merchants of the user. */
  merchants: readonly { connectionId: string; name: string; mode: 'live' | 'test' | null }[]
}

/**
 * Shows the current merchant and switches to another. Switching is a full page load: nothing in memory may belong to
 * two. Works without scripts: the list is a popover of plain links.
 */
export function MerchantSwitch({ current, merchants }: MerchantSwitchProps) {
  const currentMerchant = merchants.find(({ connectionId }) => connectionId === current)
  return (
    <div className="shell-merchant min-w-0 max-md:ml-2 max-md:mr-auto max-md:max-w-[58vw] md:mx-2 md:mb-3 xl:mx-3">
      <button
        type="button"
        popoverTarget="merchants"
        data-merchant={current}
        title={currentMerchant?.name}
        className="flex min-h-9 w-full min-w-0 items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-1 text-left text-[0.8125rem] font-medium hover:bg-raised max-md:min-h-11 md:max-xl:flex-col md:max-xl:px-1 md:max-xl:text-center md:max-xl:text-xs"
      >
        <span className="sr-only">{m.shellControls_merchant()} </span>
        <span className="min-w-0 truncate md:max-xl:line-clamp-2 md:max-xl:w-full md:max-xl:whitespace-normal md:max-xl:wrap-anywhere xl:flex-1">
          {currentMerchant?.name}
        </span>
        {currentMerchant?.mode === 'test' ? <TestBadge test /> : null}
        <ChevronsUpDown className="size-3.5 text-ink-soft" />
      </button>
      <nav
        id="merchants"
        popover="auto"
        aria-label={m.shellControls_merchants()}
        className="inset-auto top-14 left-3 max-h-[min(28rem,80dvh)] w-72 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-lg bg-raised p-2 text-ink shadow-panel md:top-28"
      >
        <ul className="flex flex-col gap-0.5">
          {merchants.map(({ connectionId, name, mode }) => (
            <li key={connectionId}>
              {/* Deliberately a full page load. */}
              <a
                href={`/?merchant=${encodeURIComponent(connectionId)}`}
                aria-current={connectionId === current ? 'true' : undefined}
                className="flex min-h-9 items-center gap-2 rounded-md px-2.5 py-1.5 font-medium text-ink-soft hover:bg-sunken hover:text-ink aria-[current=true]:text-ink max-md:min-h-11"
              >
                <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
                {mode === 'test' ? <TestBadge test /> : null}
                {connectionId === current ? <Check className="size-4" /> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

const themes = [
  { value: 'light', name: m.shell_light, icon: <Sun className="size-4" /> },
  { value: 'dark', name: m.shell_dark, icon: <Moon className="size-4" /> },
  { value: 'system', name: m.shell_asSystem, icon: <Monitor className="size-4" /> },
] as const

/** The signed-in user, the theme and sign-out: inline on a wide screen, else in a popover. */
export function Account({ email, role }: { email: string; role: Role }) {
  return (
    <>
      <button
        type="button"
        popoverTarget="account"
        aria-label={m.shell_account()}
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
          title={`${m.shell_yourAccount()}: ${email}`}
        >
          {email}
        </Link>
        <p className="text-xs text-ink-soft">
          <Link href={rolesPath} className="rounded-sm leading-6 hover:underline" title={m.roles_see()}>
            {roleNames[role].name()}
          </Link>
        </p>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
          <ThemeSwitch choices={themes.map(({ name, ...theme }) => ({ ...theme, name: name() }))} />
          <SignOutButton className="-mr-2.5 h-8 rounded-md px-2.5 text-[0.8125rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink max-md:h-11" />
        </div>
      </div>
    </>
  )
}
