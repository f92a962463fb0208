'use client'

import { BookUser, FileSignature, HandCoins, LayoutDashboard } from 'lucide-react'
import Link, { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'

/** What is built; a page gets its link with its issue. */
const places = [
  { href: '/', name: 'Overview', icon: LayoutDashboard },
  { href: '/payments', name: 'Payments', icon: HandCoins, LayoutDashboard },
  { href: '/customers', name: 'Customers', icon: BookUser },
  { href: '/mandates', name: 'Mandates', icon: FileSignature },
] as const

/** Lists have no loading face of their own: the link itself says that its page is on the way. */
function Arriving() {
  const { pending } = useLinkStatus()
  return pending ? (
    <span aria-hidden="true" className="shimmer ml-auto size-2 rounded-full bg-accent max-md:hidden" />
  ) : null
}

/** The main navigation: a column on a desk, a bar at the bottom of a phone. */
export function AppNav() {
  const pathname = usePathname()
  return (
    <nav
      aria-label="Main"
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:border-line max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex gap-0.5 max-md:h-15 max-md:justify-around md:flex-col">
        {places.map(({ href, name, icon: Icon }) => {
          const here = pathname === href || (href !== '/' && pathname.startsWith(`${href}/`))
          return (
            <li key={href} className="max-md:flex-1">
              <Link
                href={href}
                prefetch={false}
                aria-current={here ? 'page' : undefined}
                className="flex items-center gap-2.5 rounded-md px-2.5 font-medium text-ink-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:text-accent-ink max-md:h-full max-md:flex-col max-md:justify-center max-md:gap-1 max-md:text-xs md:h-9 md:aria-[current=page]:bg-accent-soft"
              >
                <Icon aria-hidden="true" className="size-4.5 shrink-0 max-md:size-5" strokeWidth={1.75} />
                {name}
                <Arriving />
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
