'use client'

import type { ComponentProps } from 'react'
import { useDeskAddress } from './desk-facts'

/** A plain link to this desk, for downloads and where the table itself opens the page; it names its merchant. */
export function Anchor({ href, ...others }: Omit<ComponentProps<'a'>, 'href'> & { href: string }) {
  // oxlint-disable-next-line jsx-a11y/anchor-has-content -- what it says comes with `others`
  return <a href={useDeskAddress()(href)} {...others} />
}
