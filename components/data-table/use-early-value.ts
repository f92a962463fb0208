import { useEffect, useEffectEvent } from 'react'
import { takeEarlyValue } from '@/lib/browser/early-ask'

/** Hands over what was typed or chosen in the control with this id before the page's script ran. */
export function useEarlyValue(id: string, take: (value: string) => void): void {
  const onEarly = useEffectEvent(take)
  useEffect(() => {
    const value = takeEarlyValue(id)
    if (value !== undefined) onEarly(value)
  }, [id])
}
