import type { ReactNode, Ref } from 'react'
import * as words from '@/lib/words/problems'
import { buttonClasses } from './ui/button'

/** Leads to a sign-in at the OpenID provider, in another tab, so that this page stays as it is. */
export function ProviderLink({
  ref,
  size,
  children = words.signInThroughTheProvider,
}: {
  ref?: Ref<HTMLAnchorElement>
  size?: Parameters<typeof buttonClasses>[1]
  children?: ReactNode
}) {
  return (
    <a
      ref={ref}
      href="/sign-in?again=1&callbackUrl=/signed-in"
      target="_blank"
      rel="noreferrer"
      className={buttonClasses('primary', size)}
    >
      {children}
    </a>
  )
}
