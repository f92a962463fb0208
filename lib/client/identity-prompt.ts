'use client'

import { useSyncExternalStore } from 'react'
import { createEmitter } from './emitter'

/** What a step-up asks for. */
export type StepUpProof = 'password' | 'factor' | 'provider'

/**
 * A question about the session: sign in again because it is over; choose where to go because another user signed in;
 * re-authenticate before a sensitive action; or stay signed in because it is about to end.
 */
export type IdentityPrompt =
  /** `isEarly`: the session is still valid and is renewed before it ends. */
  | { kind: 'signed-out'; isEarly: boolean }
  | { kind: 'another-user' }
  /** `why`: the reason, where it isn't obvious. */
  | { kind: 'step-up'; proof: StepUpProof; why: string | null }
  /** `at`: milliseconds of this browser's clock. A session at its absolute limit is not extendable. */
  | { kind: 'ending'; at: number; extendable: boolean }

/*
 * One question at a time, kept outside React because any request may raise it. components/sign-in/identity-overlay
 * shows it and is loaded on demand.
 */
let currentPrompt: IdentityPrompt | null = null
let signInCount = 0
/** What the user chose not to answer: only what they do themselves asks again, no request in the background. */
const declined = new Set<IdentityPrompt['kind']>()
let resolveStepUp: ((isProven: boolean) => void) | null = null
const prompted = createEmitter()

function setPrompt(next: IdentityPrompt | null): void {
  currentPrompt = next
  prompted.tell()
}

/** Prompts for a sign-in once, replacing any other question. `isQuiet`: for a request in the background. */
export function promptSignIn({ isEarly = false, isQuiet = false } = {}): void {
  if (currentPrompt?.kind === 'signed-out' && (isEarly || !currentPrompt.isEarly)) return
  if (isQuiet && declined.has('signed-out')) return
  resolveStepUp?.(false)
  resolveStepUp = null
  setPrompt({ kind: 'signed-out', isEarly })
}

/** Another user has signed in in this browser since the page was opened. `isQuiet` as in promptSignIn. */
export function promptAnotherUser({ isQuiet = false } = {}): void {
  if (currentPrompt?.kind === 'another-user') return
  if (isQuiet && declined.has('another-user')) return
  resolveStepUp?.(false)
  resolveStepUp = null
  setPrompt({ kind: 'another-user' })
}

/** Prompts for the password, the second factor, or a sign-in at the provider; resolves to false if the user declines. */
export function promptStepUp(proof: StepUpProof, why: string | null = null): Promise<boolean> {
  resolveStepUp?.(false)
  return new Promise((resolve) => {
    resolveStepUp = resolve
    setPrompt({ kind: 'step-up', proof, why })
  })
}

/** Warns that the session is about to end, unless another question is open. */
export function warnSessionEnding(at: number, extendable: boolean): void {
  if (currentPrompt === null) setPrompt({ kind: 'ending', at, extendable })
}

/** Closes a prompt about an ending session that was renewed in another tab. */
export function dismissPrompt(): void {
  declined.clear()
  if (currentPrompt?.kind === 'ending') closePrompt(false)
  else if (currentPrompt?.kind === 'signed-out' && !currentPrompt.isEarly) closePrompt(true)
}

/** Closes the question; `isProven`: it was answered. */
export function closePrompt(isProven: boolean): void {
  const resolve = resolveStepUp
  if (isProven && currentPrompt?.kind === 'signed-out') signInCount += 1
  // Whoever signs in early is not signed out yet.
  const isOver =
    currentPrompt?.kind === 'another-user' || (currentPrompt?.kind === 'signed-out' && !currentPrompt.isEarly)
  if (isProven) declined.clear()
  else if (currentPrompt && isOver) declined.add(currentPrompt.kind)
  resolveStepUp = null
  setPrompt(null)
  resolve?.(isProven)
}

/** Calls `listener` whenever the user has signed in again on this page. */
export function onSignIn(listener: () => void): () => void {
  let known = signInCount
  return prompted.listen(() => {
    if (known === signInCount) return
    known = signInCount
    listener()
  })
}

const getPrompt = () => currentPrompt
const getServerPrompt = () => null
const getSignInCount = () => signInCount
const getServerSignInCount = () => 0

/** How often the user has signed in again on this page: rejected requests may be retried. */
export function useSignInCount(): number {
  return useSyncExternalStore(prompted.listen, getSignInCount, getServerSignInCount)
}

export function useIdentityPrompt(): IdentityPrompt | null {
  return useSyncExternalStore(prompted.listen, getPrompt, getServerPrompt)
}
