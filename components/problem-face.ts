import { CircleAlert, Hourglass, Lock, type LucideIcon, Unplug } from 'lucide-react'
import type { ProblemFacts } from '@/lib/browser/problem-facts'

/** Which face a problem has, as the design names them. */
export type ProblemFace = {
  kind: 'refused' | 'slow-down' | 'unreachable' | 'broken'
  icon: LucideIcon
  title: string
  advice: string
}

const unreachable = ['upstream-unreachable', 'upstream-timeout', 'desk-unreachable', 'desk-timeout']

const words: Record<string, { title: string; advice: string }> = {
  'signed-out': {
    title: 'You are signed out',
    advice: 'Sign in again: what is on this page stays, and nothing is sent again by itself.',
  },
  'signed-in-again': { title: 'You are signed in again', advice: 'Nothing was sent meanwhile. Try again.' },
  'another-user': { title: 'Somebody else is signed in here now', advice: 'Nothing was done. Open a fresh page.' },
  'step-up': { title: 'This needs your password', advice: 'Nothing was done. Try again and confirm that it is you.' },
  forbidden: { title: 'Your role does not allow this', advice: 'Ask an admin of this desk for it.' },
  'upstream-credential': {
    title: 'The service does not accept the desk’s credential',
    advice: 'Whoever runs this desk must look at its settings. Nothing is wrong with your sign-in.',
  },
  'desk-unreachable': {
    title: 'The desk cannot be reached',
    advice: 'Check the connection of this computer and try again.',
  },
  'desk-timeout': { title: 'The desk did not answer in time', advice: 'Try again.' },
  'desk-bad-reply': {
    title: 'The reply could not be read',
    advice: 'Something between you and the desk may have changed it. Try again.',
  },
  'upstream-unreachable': {
    title: 'The service cannot be reached',
    advice: 'What was loaded stays. Try again in a moment.',
  },
  'upstream-timeout': {
    title: 'The service did not answer in time',
    advice: 'What was loaded stays. Try again in a moment.',
  },
  page: { title: 'Something went wrong on this page', advice: 'Try again. If it stays, load the page anew.' },
}

function chooseKind({ status, code }: ProblemFacts): Pick<ProblemFace, 'kind' | 'icon'> {
  if (status === 429) return { kind: 'slow-down', icon: Hourglass }
  if (status === 401 || status === 403) return { kind: 'refused', icon: Lock }
  if (status === 0 || unreachable.includes(code)) return { kind: 'unreachable', icon: Unplug }
  return { kind: 'broken', icon: CircleAlert }
}

/** The face of a problem: icon, title and what the reader can do. */
export function chooseProblemFace(facts: ProblemFacts): ProblemFace {
  const own = Object.hasOwn(words, facts.code) ? words[facts.code] : undefined
  const chosen = chooseKind(facts)
  const general = {
    refused: { title: 'This was refused', advice: 'Nothing was changed.' },
    'slow-down': { title: 'Too many requests', advice: 'The service asks to slow down. Nothing is lost.' },
    unreachable: { title: 'Nothing answered', advice: 'Try again in a moment.' },
    broken: { title: 'That did not work', advice: '' },
  }[chosen.kind]
  return { ...chosen, title: own?.title ?? facts.title ?? general.title, advice: own?.advice ?? general.advice }
}
