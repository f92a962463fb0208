import { CircleAlert, Hourglass, Lock, type LucideIcon, Unplug } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { CallError } from '@/lib/client/api-client'
import { buttonClasses } from '../ui/button'
import * as words from '@/lib/words/problems'

/** What the service itself said, where it was the service that refused or failed. */
type UpstreamWords = { status: number | null; title: string | null; detail: string | null; instance: string | null }

/** A refusal or failure as people are told: our words from the code, the particulars from the problem record. */
export type ProblemInfo = {
  /** 0 where nothing answered. */
  status: number
  code: string
  title: string | null
  detail: string | null
  /** The request id, for whoever looks into it. */
  instance: string | null
  /** Whole seconds to wait, where the answer asked for it. */
  retryAfter: number | null
  upstream: UpstreamWords | null
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function readUpstream(value: unknown): UpstreamWords | null {
  if (typeof value !== 'object' || value === null) return null
  const words = value as Record<string, unknown>
  return {
    status: typeof words.status === 'number' ? words.status : null,
    title: readText(words.title),
    detail: readText(words.detail),
    instance: readText(words.instance) ?? readText(words.traceId),
  }
}

/** The facts of whatever was thrown; anything but a CallError is a fault of this page. */
export function toProblemInfo(error: unknown): ProblemInfo {
  if (!(error instanceof CallError)) {
    return { status: 500, code: 'page', title: null, detail: null, instance: null, retryAfter: null, upstream: null }
  }
  const { status, code, problem, retryAfter } = error
  return {
    status,
    code,
    title: readText(problem?.title),
    detail: readText(problem?.detail),
    instance: readText(problem?.instance),
    retryAfter,
    upstream: readUpstream(problem?.upstream),
  }
}

/** How a problem is shown: a refusal, a slow-down and an outage ask different things of the reader. */
export type ProblemDisplay = {
  kind: 'refused' | 'slow-down' | 'unreachable' | 'broken'
  icon: LucideIcon
  title: string
  advice: string
}

const unreachable = ['upstream-unreachable', 'upstream-timeout', 'desk-unreachable', 'desk-timeout']

function chooseKind({ status, code }: ProblemInfo): Pick<ProblemDisplay, 'kind' | 'icon'> {
  if (status === 429) return { kind: 'slow-down', icon: Hourglass }
  if (status === 401 || status === 403) return { kind: 'refused', icon: Lock }
  if (status === 0 || unreachable.includes(code)) return { kind: 'unreachable', icon: Unplug }
  return { kind: 'broken', icon: CircleAlert }
}

/** The face of a problem: icon, title and what the reader can do. */
export function chooseProblemDisplay(facts: ProblemInfo): ProblemDisplay {
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
