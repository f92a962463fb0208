'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { useHasNoMerchant, useMerchantAddress } from './app-config'

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
  const address = useMerchantAddress()(href)
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- what it says comes with `others`
  if (useHasNoMerchant()) return <a href={address} {...others} />
  return <NextLink href={address} scroll={scroll} prefetch={false} {...others} />
}

/** A plain link to this desk, for downloads and where the table itself opens the page; it names its merchant. */
export function Anchor({ href, ...others }: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- what it says comes with `others`
  return <a href={useMerchantAddress()(href)} {...others} />
}
