'use client'

import { useSyncExternalStore } from 'react'
import type { BesideTable } from '@/components/data-table/data-table'
import { useLoaded } from '@/components/use-loaded'

const loadBar = async () => (await import('./selection-bar')).SelectionBar

/** What can be done with the selected rows; fetched once there are some. */
export function SelectionHost(props: BesideTable<'listPayments'>) {
  const { selection } = props.list
  const read = () => selection.keys.size > 0
  const isOn = useSyncExternalStore(selection.changes.subscribe, read, read)
  const { part: Bar } = useLoaded(isOn, loadBar)
  return isOn && Bar ? <Bar {...props} /> : null
}
