'use client'

import { useSyncExternalStore } from 'react'

/**
 * A question about the session: sign in again because it is over; choose where to go because another user signed in;
 * re-authenticate before a sensitive action; or stay signed in because it is about to end.
 */
export type IdentityPrompt =
  /** `isEarly`: the session is still valid and is renewed before it ends. */
  | { kind: 'signed-out'; isEarly: boolean }
  | { kind: 'another-user' }
  /** `why`: the reason, where it isn't obvious. */
  | { kind: 'step-up'; proof: 'password' | 'provider'; why: string | null }
  /** `at`: milliseconds of this browser's clock. A session at its absolute limit is not extendable. */
  | { kind: 'ending'; at: number; extendable: boolean }

/*
 * One question at a time, kept outside React because any request may raise it. components/sign-in/identity-overlay
 * shows it and is loaded on demand.
 */
let question: IdentityPrompt | null = null
let signIns = 0
let settleProof: ((isProven: boolean) => void) | null = null
const listeners = new Set<() => void>()

function ask(next: IdentityPrompt | null): void {
  question = next
  for (const listener of listeners) listener()
}

/** Prompts for a sign-in once, replacing any other question. */
export function promptSignIn(isEarly = false): void {
  if (question?.kind === 'signed-out' && (isEarly || !question.isEarly)) return
  settleProof?.(false)
  settleProof = null
  ask({ kind: 'signed-out', isEarly })
}

/** Another user has signed in in this browser since the page was opened. */
export function promptAnotherUser(): void {
  if (question?.kind === 'another-user') return
  settleProof?.(false)
  settleProof = null
  ask({ kind: 'another-user' })
}

/** Prompts for the password, or a sign-in at the provider; resolves to false if the user declines. */
export function promptStepUp(proof: 'password' | 'provider', why: string | null = null): Promise<boolean> {
  settleProof?.(false)
  return new Promise((resolve) => {
    settleProof = resolve
    ask({ kind: 'step-up', proof, why })
  })
}

/** Warns that the session is about to end, unless another question is open. */
export function warnSessionEnding(at: number, extendable: boolean): void {
  if (question === null) ask({ kind: 'ending', at, extendable })
}

/** Closes a prompt about an ending session that was renewed in another tab. */
export function dismissPrompt(): void {
  if (question?.kind === 'ending') closePrompt(false)
  else if (question?.kind === 'signed-out' && !question.isEarly) closePrompt(true)
}

/** Closes the question; `isProven`: it was answered. */
export function closePrompt(isProven: boolean): void {
  const settle = settleProof
  if (isProven && question?.kind === 'signed-out') signIns += 1
  settleProof = null
  ask(null)
  settle?.(isProven)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const read = () => question
const nothing = () => null
const readSignIns = () => signIns
const none = () => 0

/** How often the user has signed in again on this page: rejected requests may be retried. */
export function useSignInCount(): number {
  return useSyncExternalStore(subscribe, readSignIns, none)
}

export function useIdentityPrompt(): IdentityPrompt | null {
  return useSyncExternalStore(subscribe, read, nothing)
}
