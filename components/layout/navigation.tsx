'use client'

import { useLinkStatus } from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { withMerchantParam } from '@/lib/client/page-context'
import { useFocusContent } from '@/lib/client/page-lifecycle'
import { useAppConfig } from './app-config'
import { Link } from './link'

/**
 * The shell and everything in memory belong to one merchant: a client-side navigation to another merchant's page
 * triggers a full load instead. A URL that lost its merchant gets it back.
 */
export function MerchantGuard({ children }: { children: ReactNode }) {
  const { connectionId, merchant } = useAppConfig()
  const asked = useSearchParams().get('merchant')
  const isOther = connectionId !== null && asked !== null && asked !== connectionId
  const isLost = merchant !== null && asked === null
  useEffect(() => {
    if (isOther) location.reload()
    else if (isLost)
      history.replaceState(null, '', withMerchantParam(location.pathname + location.search + location.hash))
  }, [isOther, isLost])
  return isOther ? null : children
}

/** Focuses the content after a navigation that removed the focused element. */
export function PageFocus() {
  useFocusContent(usePathname())
  return null
}

/** On a phone the links are in a popover, which would stay open over the next page. */
function closeAround(link: HTMLElement): void {
  const around = link.closest<HTMLElement>('[popover]')
  if (around?.matches(':popover-open')) around.hidePopover()
}

/** Lists have no loading page: the link shows that its page is pending. */
function Arriving() {
  return useLinkStatus().pending ? (
    <span aria-hidden="true" className="shimmer ml-auto size-2 rounded-full bg-accent max-xl:hidden" />
  ) : null
}

type PlaceLinkProps = {
  href: string
  /** A further path under which the link counts as current. */
  also: string | undefined
  className: string
  children: ReactNode
}

/** A link of the main navigation that marks the current page. */
export function NavLink({ href, also = href, className, children }: PlaceLinkProps) {
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
