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
 * Next's link to a page of this desk, for the same merchant: that addresses name theirs is this desk's own rule. Nothing
 * is fetched before it is followed, for every page is made for its moment.
 */
export function Link({ href, scroll = true, ...others }: LinkProps) {
  const address = useDeskAddress()(href)
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- what it says comes with `others`
  if (useIsOfNoMerchant()) return <a href={address} {...others} />
  return <NextLink href={address} scroll={scroll} prefetch={false} {...others} />
}
