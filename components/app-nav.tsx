'use client'

import {
  BookOpen,
  BookUser,
  Ellipsis,
  FileSignature,
  HandCoins,
  Handshake,
  LayoutDashboard,
  type LucideIcon,
  Store,
  Webhook,
} from 'lucide-react'
import Link, { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'

type Place = { href: string; name: string; icon: LucideIcon }

/** What is built; a page gets its link with its issue. On a phone these four stand in the bar, the others behind "More". */
const first: readonly Place[] = [
  { href: '/', name: 'Overview', icon: LayoutDashboard },
  { href: '/payments', name: 'Payments', icon: HandCoins },
  { href: '/customers', name: 'Customers', icon: BookUser },
  { href: '/mandates', name: 'Mandates', icon: FileSignature },
]
const further: readonly Place[] = [
  { href: '/agreements', name: 'Agreements', icon: Handshake },
  { href: '/webhooks', name: 'Webhooks', icon: Webhook },
  { href: '/merchant', name: 'Merchant', icon: Store },
  { href: '/reference', name: 'Reference', icon: BookOpen },
]

const look =
  'flex items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:text-accent-ink md:h-9 md:aria-[current=page]:bg-accent-soft'
const barLook =
  'max-md:h-full max-md:w-full max-md:flex-col max-md:justify-center max-md:gap-1 max-md:px-0 max-md:text-xs'

/** On a phone the places stand in a popover, which stays open when the page behind it changes. */
function closeAround(link: HTMLElement): void {
  const around = link.closest<HTMLElement>('[popover]')
  if (around?.matches(':popover-open')) around.hidePopover()
}

/** Lists have no loading face of their own: the link itself says that its page is on the way. */
function Arriving() {
  const { pending } = useLinkStatus()
  return pending ? (
    <span aria-hidden="true" className="shimmer ml-auto size-2 rounded-full bg-accent max-md:hidden" />
  ) : null
}

function PlaceLink({ place: { href, name, icon: Icon }, className }: { place: Place; className: string }) {
  const pathname = usePathname()
  const here = pathname === href || (href !== '/' && pathname.startsWith(`${href}/`))
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={here ? 'page' : undefined}
      onClick={(event) => closeAround(event.currentTarget)}
      className={`${look} ${className}`}
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0 max-md:size-5" strokeWidth={1.75} />
      {name}
      <Arriving />
    </Link>
  )
}

/** The main navigation: a column on a desk, a bar at the bottom of a phone. */
export function AppNav() {
  return (
    <nav
      aria-label="Main"
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:flex max-md:h-15 max-md:border-t max-md:border-line max-md:bg-surface max-md:box-content max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex gap-0.5 max-md:flex-4 max-md:justify-around md:flex-col">
        {first.map((place) => (
          <li key={place.href} className="max-md:flex-1">
            <PlaceLink place={place} className={barLook} />
          </li>
        ))}
      </ul>
      <button type="button" popoverTarget="further-places" className={`${look} ${barLook} max-md:flex-1 md:hidden`}>
        <Ellipsis aria-hidden="true" className="size-5" strokeWidth={1.75} />
        More
      </button>
      <ul
        id="further-places"
        popover="auto"
        className="bg-transparent text-ink max-md:inset-auto max-md:right-3 max-md:bottom-18 max-md:w-56 max-md:rounded-lg max-md:bg-raised max-md:p-2 max-md:shadow-panel md:static md:mt-0.5 md:flex md:w-auto md:flex-col md:gap-0.5"
      >
        {further.map((place) => (
          <li key={place.href}>
            <PlaceLink place={place} className="max-md:h-11" />
          </li>
        ))}
      </ul>
    </nav>
  )
}
