'use client'

import { useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import { useDeskFacts } from './desk-facts'

/**
 * The shell was made for one merchant, and so was everything in memory: a page of another one that comes in without a
 * load is not shown but loaded anew. An address that lost its merchant gets it back.
 */
export function OneMerchant({ children }: { children: ReactNode }) {
  const { connectionId, merchant } = useDeskFacts()
  const asked = useSearchParams().get('merchant')
  const isOther = connectionId !== null && asked !== null && asked !== connectionId
  const isLost = merchant !== null && asked === null
  useEffect(() => {
    if (isOther) location.reload()
    else if (isLost) history.replaceState(null, '', keepMerchant(location.pathname + location.search + location.hash))
  }, [isOther, isLost])
  return isOther ? null : children
}
