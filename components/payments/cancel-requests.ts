'use client'

import { useSyncExternalStore } from 'react'
import type { Payment } from '@/lib/contract/payments'

/*
 * Which payment of a list is being asked about. A row cannot hold its own dialog: it leaves the page when it
 * scrolls out of sight. One CancelDialogHost beside the list holds it for all rows.
 */

type AskedPayment = { payment: Payment; opener: HTMLElement | null }

let asked: AskedPayment | null = null
const subscribers = new Set<() => void>()

function set(next: AskedPayment | null): void {
  asked = next
  for (const subscriber of subscribers) subscriber()
}

/** Opens the dialog for a row; the focus goes back to `opener` when it closes. */
export function askToCancel(payment: Payment, opener: HTMLElement | null): void {
  set({ payment, opener })
}

export function stopAsking(): void {
  set(null)
}

function subscribe(subscriber: () => void): () => void {
  subscribers.add(subscriber)
  return () => subscribers.delete(subscriber)
}

const read = () => asked
const nothing = () => null

export function useAskedPayment(): AskedPayment | null {
  return useSyncExternalStore(subscribe, read, nothing)
}
