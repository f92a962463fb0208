import { CircleAlert, Hourglass, Lock, Unplug, type LucideIcon } from 'lucide-react'
import type { ProblemFacts } from '@/lib/browser/problem-facts'
import * as words from '@/lib/words/problems'

/** How a problem is shown: a refusal, a slow-down and an outage ask different things of the reader. */
export type ProblemFace = {
  kind: 'refused' | 'slow-down' | 'unreachable' | 'broken'
  icon: LucideIcon
  title: string
  advice: string
}

const unreachable = ['upstream-unreachable', 'upstream-timeout', 'desk-unreachable', 'desk-timeout']

function chooseKind({ status, code }: ProblemFacts): Pick<ProblemFace, 'kind' | 'icon'> {
  if (status === 429) return { kind: 'slow-down', icon: Hourglass }
  if (status === 401 || status === 403) return { kind: 'refused', icon: Lock }
  if (status === 0 || unreachable.includes(code)) return { kind: 'unreachable', icon: Unplug }
  return { kind: 'broken', icon: CircleAlert }
}

/** The face of a problem: icon, title and what the reader can do. */
export function chooseProblemFace(facts: ProblemFacts): ProblemFace {
  const codes: Readonly<Record<string, { title: string; advice: string }>> = words.codes
  const own = Object.hasOwn(codes, facts.code) ? codes[facts.code] : undefined
  const chosen = chooseKind(facts)
  const general = words.kinds[chosen.kind]
  // Its advice is to give the number of the request, which a fault on the way to the desk has not.
  const isNumbered = facts.code !== 'internal' || facts.instance !== null
  return {
    ...chosen,
    title: own?.title ?? facts.title ?? general.title,
    advice: (isNumbered && own?.advice) || general.advice,
  }
}
