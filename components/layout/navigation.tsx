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
  const requested = useSearchParams().get('merchant')
  const isOtherMerchant = connectionId !== null && requested !== null && requested !== connectionId
  const isMissing = merchant !== null && requested === null
  useEffect(() => {
    if (isOtherMerchant) location.reload()
    else if (isMissing)
      history.replaceState(null, '', withMerchantParam(location.pathname + location.search + location.hash))
  }, [isOtherMerchant, isMissing])
  return isOtherMerchant ? null : children
}

/** Focuses the content after a navigation that removed the focused element. */
export function PageFocus() {
  useFocusContent(usePathname())
  return null
}

/** On a phone the links are in a popover, which would stay open over the next page. */
function closePopover(link: HTMLElement): void {
  const popover = link.closest<HTMLElement>('[popover]')
  if (popover?.matches(':popover-open')) popover.hidePopover()
}

/** Lists have no loading page: the link shows that its page is pending. */
function PendingIndicator() {
  return useLinkStatus().pending ? (
    <span aria-hidden="true" className="shimmer ml-auto size-2 rounded-full bg-accent max-xl:hidden" />
  ) : null
}

type NavLinkProps = {
  href: string
  /** A further path under which the link counts as current. */
  alsoPath: string | undefined
  /** A path below `href` that belongs to another link. */
  exceptPath: string | undefined
  className: string
  children: ReactNode
}

/** A link of the main navigation that marks the current page. */
export function NavLink({ href, alsoPath = href, exceptPath, className, children }: NavLinkProps) {
  const path = `${usePathname()}/`
  const isBelow = (base: string) => path.startsWith(`${base}/`)
  const isExcepted = exceptPath !== undefined && isBelow(exceptPath)
  const isCurrent = href === '/' ? path === '//' : (isBelow(href) || isBelow(alsoPath)) && !isExcepted
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => closePopover(event.currentTarget)}
      className={className}
    >
      {children}
      <PendingIndicator />
    </Link>
  )
}
