'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { useDeskAddress, useIsOfNoMerchant } from './desk-facts'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  /** Whether the page that opens begins at its top. */
  scroll?: boolean
}

/**
 * Next's link, with the merchant in its address: no library knows that each address of a merchant's names it.
 * Nothing is prefetched: every page is made for its moment.
 */
export function Link({ href, scroll = true, children, ...others }: LinkProps) {
  const address = useDeskAddress()(href)
  if (useIsOfNoMerchant())
    return (
      <a href={address} {...others}>
        {children}
      </a>
    )
  return (
    <NextLink href={address} scroll={scroll} prefetch={false} {...others}>
      {children}
    </NextLink>
  )
}
