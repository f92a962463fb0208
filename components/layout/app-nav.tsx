import type { Message } from '@/lib/language/runtime'
import type { ReactNode } from 'react'
import {
  BookOpen,
  BookUser,
  Clock,
  Download,
  Ellipsis,
  FileSignature,
  HandCoins,
  Handshake,
  LayoutDashboard,
  ListTodo,
  History,
  Store,
  UsersRound,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import { hasPermission, type Permission, type Role } from '@/lib/api-contract/permission'
import { ApprovalsBadge, ClosingBadge } from './nav-badges'
import { NavLink } from './navigation'
import * as m from '@/lib/messages/m'

/**
 * `also` is a further path of the item; paths under `except` are another item's. It is shown to people with the
 * permission, `read` if not said.
 */
type NavItem = {
  href: string
  also?: string
  except?: string
  name: Message
  icon: LucideIcon
  permission?: Permission
}

const ATTENTION = '/attention'
const CLOSING = '/payments/closing'

/** On a phone these four are in the bar, the others behind "More". */
const PRIMARY_ITEMS: readonly NavItem[] = [
  { href: '/', name: m.shell_overview, icon: LayoutDashboard },
  { href: '/payments', except: CLOSING, name: m.shell_payments, icon: HandCoins },
  { href: '/customers', name: m.shell_customers, icon: BookUser },
  { href: '/mandates', name: m.shell_mandates, icon: FileSignature },
]
const SECONDARY_ITEMS: readonly NavItem[] = [
  { href: ATTENTION, name: m.shell_needsAttention, icon: ListTodo },
  { href: CLOSING, name: m.shell_closingNext, icon: Clock },
  { href: '/agreements', name: m.shell_agreements, icon: Handshake },
  { href: '/webhooks', name: m.shell_webhooks, icon: Webhook },
  { href: '/merchant', also: '/merchants', name: m.shell_merchant, icon: Store },
  { href: '/activity', name: m.shell_activity, icon: History, permission: 'account' },
  { href: '/exports', name: m.shell_exports, icon: Download, permission: 'export' },
  { href: '/reference', name: m.shell_reference, icon: BookOpen },
  { href: '/team', name: m.shell_team, icon: UsersRound, permission: 'administer' },
]

/** On a narrow desktop the column is a rail with labels below the icons. */
const linkClasses =
  'flex items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:text-accent-ink md:h-9 md:aria-[current=page]:bg-accent-soft forced-colors:aria-[current=page]:outline-2 forced-colors:aria-[current=page]:-outline-offset-2 md:max-xl:h-12 md:max-xl:flex-col md:max-xl:justify-center md:max-xl:gap-0.5 md:max-xl:px-0 md:max-xl:text-[0.6875rem]'
const barLinkClasses =
  'max-md:h-full max-md:w-full max-md:flex-col max-md:justify-start max-md:gap-1 max-md:px-0 max-md:pt-2.5 max-md:text-xs'

type NavItemLinkProps = { item: NavItem; className: string; children?: ReactNode }

function NavItemLink({ item: { href, also, except, name, icon: Icon }, className, children }: NavItemLinkProps) {
  return (
    <NavLink href={href} alsoPath={also} exceptPath={except} className={`${linkClasses} ${className}`}>
      <Icon strokeWidth={1.75} className="size-4.5 max-md:size-5" />
      <span className="max-w-full truncate max-xl:text-center max-xl:leading-none max-xl:whitespace-normal">
        {name()}
      </span>
      {children}
    </NavLink>
  )
}

/** On a phone the bar is for the first places of a role that has none of the usual ones. */
function splitPlaces(primary: readonly NavItem[], secondary: readonly NavItem[]) {
  return primary.length > 0 ? ([primary, secondary] as const) : ([secondary.slice(0, 4), secondary.slice(4)] as const)
}

/** The main navigation: a column on a desktop, a bar at the bottom of a phone. */
export function AppNav({ role, showsCounts }: { role: Role | null; showsCounts: boolean }) {
  // Signed out, the places lead to the sign-in.
  const isShown = ({ permission = 'read' }: NavItem) =>
    role === null ? permission !== 'administer' : hasPermission(role, permission)
  const [primary, secondary] = splitPlaces(PRIMARY_ITEMS.filter(isShown), SECONDARY_ITEMS.filter(isShown))
  return (
    <nav
      aria-label={m.shell_mainNavigation()}
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:flex max-md:h-15 max-md:border-t max-md:border-line max-md:bg-surface max-md:box-content max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex gap-0.5 max-md:flex-4 max-md:justify-around md:flex-col">
        {primary.map((place) => (
          <li key={place.href} className="min-w-0 max-md:flex-1">
            <NavItemLink item={place} className={barLinkClasses} />
          </li>
        ))}
      </ul>
      {secondary.length > 0 ? (
        <>
          <button
            type="button"
            popoverTarget="further-places"
            className={`${linkClasses} ${barLinkClasses} max-md:flex-1 md:hidden`}
          >
            <Ellipsis strokeWidth={1.75} className="size-5" />
            <span className="leading-none">{m.shell_more()}</span>
          </button>
          <ul
            id="further-places"
            popover="auto"
            className="bg-transparent text-ink max-md:inset-auto max-md:right-3 max-md:bottom-18 max-md:w-56 max-md:rounded-lg max-md:bg-raised max-md:p-2 max-md:shadow-panel md:static md:mt-0.5 md:flex md:w-auto md:flex-col md:gap-0.5"
          >
            {secondary.map((place) => (
              <li key={place.href}>
                <NavItemLink item={place} className="max-md:h-11">
                  {place.href === CLOSING && showsCounts ? <ClosingBadge /> : null}
                  {place.href === ATTENTION && showsCounts && role !== null && hasPermission(role, 'bulk') ? (
                    <ApprovalsBadge />
                  ) : null}
                </NavItemLink>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </nav>
  )
}
