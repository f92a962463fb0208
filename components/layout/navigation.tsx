'use client'

import { useLinkStatus } from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { withMerchantParam } from '@/lib/client/page-context'
import { useFocusContent } from '@/lib/client/page-lifecycle'
import { useAppConfig } from './app-config'
import { Link } from './link'

/**
 * The shell was made for one merchant, and so was everything in memory: a page of another one that comes in without a
 * load is not shown but loaded anew. An address that lost its merchant gets it back.
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

/** Stands once in the shell: whose focus went with the page that they left goes on where the next one begins. */
export function PageFocus() {
  useFocusContent(usePathname())
  return null
}

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
