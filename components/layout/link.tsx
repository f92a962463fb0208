'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { useHasNoMerchant, useMerchantAddress } from './app-config'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  /** Whether to scroll to the top of the new page. */
  scroll?: boolean
  /** Whether the new page takes the history entry of this one. */
  replace?: boolean
  /** Called before it navigates in this tab, which it can prevent. */
  onNavigate?: ComponentProps<typeof NextLink>['onNavigate']
}

/** An internal link that keeps the merchant in its URL. Never prefetched, for every page is rendered for its moment. */
export function Link({ href, scroll = true, replace = false, onNavigate, ...others }: LinkProps) {
  const address = useMerchantAddress()(href)
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- what it says comes with `others`
  if (useHasNoMerchant()) return <a href={address} {...others} />
  return <NextLink href={address} prefetch={false} {...{ scroll, replace, onNavigate }} {...others} />
}

/** A plain link with the merchant in its URL, for downloads and where the table itself handles clicks. */
export function Anchor({ href, ...others }: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- what it says comes with `others`
  return <a href={useMerchantAddress()(href)} {...others} />
}
