'use client'

import { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from './link'

/** On a phone the places stand in a popover, which stays open when the page behind it changes. */
function closeAround(link: HTMLElement): void {
  const around = link.closest<HTMLElement>('[popover]')
  if (around?.matches(':popover-open')) around.hidePopover()
}

/** Lists have no loading face of their own: the link itself says that its page is on the way. */
function Arriving() {
  return useLinkStatus().pending ? (
    <span aria-hidden="true" className="shimmer ml-auto size-2 rounded-full bg-accent max-xl:hidden" />
  ) : null
}

type PlaceLinkProps = {
  href: string
  /** Another place that belongs to this one. */
  also: string | undefined
  className: string
  children: ReactNode
}

/** A place of the main navigation, which knows whether one is there. */
export function PlaceLink({ href, also = href, className, children }: PlaceLinkProps) {
  const path = `${usePathname()}/`
  const here = href === '/' ? path === '//' : path.startsWith(`${href}/`) || path.startsWith(`${also}/`)
  return (
    <Link
      href={href}
      aria-current={here ? 'page' : undefined}
      onClick={(event) => closeAround(event.currentTarget)}
      className={className}
    >
      {children}
      <Arriving />
    </Link>
  )
}
