'use client'

import { useRouter } from 'next/navigation'
import { type ComponentProps, createContext, type MouseEvent, useContext, useTransition } from 'react'
import { useDeskAddress, useIsOfNoMerchant } from './desk-facts'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  /** Whether the page that opens begins at its top. */
  scroll?: boolean
}

const Arriving = createContext(false)

/** Whether the page that the link around leads to is on its way. */
export function useIsArriving(): boolean {
  return useContext(Arriving)
}

/** A click that a browser would follow in this very tab. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
}

/**
 * A link to a page of this desk, which opens there for the same merchant, in another tab too. Nothing is fetched
 * before it is followed: every page is made for its moment. (Next's own link is a tenth of a list page's script.)
 */
export function Link({ href, scroll = true, onClick, children, ...others }: LinkProps) {
  const router = useRouter()
  const address = useDeskAddress()(href)
  const isLoad = useIsOfNoMerchant()
  const [isArriving, startTransition] = useTransition()

  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event)
    if (isLoad || event.defaultPrevented || !isPlain(event) || (others.target ?? '_self') !== '_self') return
    event.preventDefault()
    startTransition(() => router.push(address, { scroll }))
  }

  return (
    <a href={address} onClick={follow} {...others}>
      <Arriving value={isArriving}>{children}</Arriving>
    </a>
  )
}
