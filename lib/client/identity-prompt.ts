'use client'

import { useSyncExternalStore } from 'react'

/**
 * What the desk has to ask whoever sits at it: to sign in again, for the session is over;
 * where to go, for somebody else has signed in in this browser since; to prove that it is
 * still them, for what weighs most; or whether to stay signed in, for the session is about to end.
 */
export type IdentityPrompt =
  /** `isEarly`: the session still holds, and is to begin anew before it ends. */
  | { kind: 'signed-out'; isEarly: boolean }
  | { kind: 'another-user' }
  /** `why` it is asked now, where nobody could know. */
  | { kind: 'step-up'; proof: 'password' | 'provider'; why: string | null }
  /** `at` is a moment of this browser's clock; a session that ends whatever happens cannot be extended. */
  | { kind: 'ending'; at: number; extendable: boolean }

/*
 * One question at a time, kept outside React: whatever is asked for may fail anywhere. The overlay that asks is
 * components/sign-in-again; it is loaded when there is a question.
 */
let question: IdentityPrompt | null = null
let signIns = 0
let settleProof: ((isProven: boolean) => void) | null = null
const listeners = new Set<() => void>()

function ask(next: IdentityPrompt | null): void {
  question = next
  for (const listener of listeners) listener()
}

/** The session is over, or soon will be: asks to sign in again, once, in place of whatever else was being asked. */
export function promptSignIn(isEarly = false): void {
  if (question?.kind === 'signed-out' && (isEarly || !question.isEarly)) return
  settleProof?.(false)
  settleProof = null
  ask({ kind: 'signed-out', isEarly })
}

/** Somebody else has signed in in this browser since the page was opened. */
export function promptAnotherUser(): void {
  if (question?.kind === 'another-user') return
  settleProof?.(false)
  settleProof = null
  ask({ kind: 'another-user' })
}

/** Asks for the password (or for a sign-in at the provider); false when the person would rather not. */
export function promptStepUp(proof: 'password' | 'provider', why: string | null = null): Promise<boolean> {
  settleProof?.(false)
  return new Promise((resolve) => {
    settleProof = resolve
    ask({ kind: 'step-up', proof, why })
  })
}

/** Warns that the session is about to end, unless something else is being asked. */
export function warnSessionEnding(at: number, extendable: boolean): void {
  if (question === null) ask({ kind: 'ending', at, extendable })
}

/** The session turns out to hold, for long enough: what is asked because it is over, or nearly, was answered in another tab. */
export function dismissPrompt(): void {
  if (question?.kind === 'ending') closePrompt(false)
  else if (question?.kind === 'signed-out' && !question.isEarly) closePrompt(true)
}

/** The question is answered, or put off. */
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

/** How often somebody has signed in again on this page: what was refused before may be tried again. */
export function useSignInCount(): number {
  return useSyncExternalStore(subscribe, readSignIns, none)
}

export function useIdentityPrompt(): IdentityPrompt | null {
  return useSyncExternalStore(subscribe, read, nothing)
}
