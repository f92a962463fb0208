import type { Message } from '@/lib/language/runtime'
import { CircleAlert, Hourglass, Lock, type LucideIcon, Unplug } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { CallError } from '@/lib/client/api-client'
import { matchProblemErrors } from '../forms/field-messages'
import { buttonClasses } from '../ui/button'
import * as m from '@/lib/messages/m'

/** The upstream API's own error. */
type UpstreamProblem = { status: number | null; title: string | null; detail: string | null; instance: string | null }

/** An error to display: our text is chosen by code, the details come from the problem record. */
export type ProblemInfo = {
  /** 0 if there was no reply. */
  status: number
  code: string
  title: string | null
  detail: string | null
  /** The request id, for support. */
  instance: string | null
  /** Seconds from `Retry-After`. */
  retryAfter: number | null
  upstream: UpstreamProblem | null
  /** Further messages of it, listed below: of the upstream API's all, unless a form has them at its fields. */
  messages: readonly string[]
}

function parseText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function parseUpstream(value: unknown): UpstreamProblem | null {
  if (typeof value !== 'object' || value === null) return null
  const record = value as Record<string, unknown>
  return {
    status: typeof record.status === 'number' ? record.status : null,
    title: parseText(record.title),
    detail: parseText(record.detail),
    instance: parseText(record.instance) ?? parseText(record.traceId),
  }
}

/** One error is one problem, however often it is rendered: a countdown begins anew with another one. */
const infos = new WeakMap<CallError, ProblemInfo>()

/** Converts anything thrown; anything but a CallError is a bug in this page. */
export function toProblemInfo(error: unknown): ProblemInfo {
  if (!(error instanceof CallError)) {
    const nothing = { title: null, detail: null, instance: null, retryAfter: null, upstream: null, messages: [] }
    return { status: 500, code: 'page', ...nothing }
  }
  const { status, code, problem, retryAfter } = error
  const info = infos.get(error) ?? {
    status,
    code,
    title: parseText(problem?.title),
    detail: parseText(problem?.detail),
    instance: parseText(problem?.instance),
    retryAfter,
    upstream: parseUpstream(problem?.upstream),
    messages: problem?.upstream ? matchProblemErrors(problem.errors, []).others : [],
  }
  infos.set(error, info)
  return info
}

/** How a problem is displayed. */
export type ProblemDisplay = {
  kind: 'refused' | 'slow-down' | 'unreachable' | 'broken'
  icon: LucideIcon
  title: string
  advice: string
}

const UNREACHABLE_CODES = ['upstream-unreachable', 'upstream-timeout', 'desk-unreachable', 'desk-timeout']

function classifyProblem({ status, code }: ProblemInfo): Pick<ProblemDisplay, 'kind' | 'icon'> {
  if (status === 429) return { kind: 'slow-down', icon: Hourglass }
  if (status === 401 || status === 403) return { kind: 'refused', icon: Lock }
  if (status === 0 || UNREACHABLE_CODES.includes(code)) return { kind: 'unreachable', icon: Unplug }
  return { kind: 'broken', icon: CircleAlert }
}

type Texts = { title: Message; advice: Message }

/** By the code of the problem record. */
const codes: Readonly<Record<string, Texts>> = {
  'signed-out': {
    title: m.problems_codesSignedOutTitle,
    advice: m.problems_codesSignedOutAdvice,
  },
  'signed-in-again': { title: m.problems_codesSignedInAgainTitle, advice: m.problems_codesSignedInAgainAdvice },
  'another-user': { title: m.problems_codesAnotherUserTitle, advice: m.problems_codesAnotherUserAdvice },
  'step-up': { title: m.problems_codesStepUpTitle, advice: m.problems_codesStepUpAdvice },
  forbidden: { title: m.problems_codesForbiddenTitle, advice: m.problems_codesForbiddenAdvice },
  'owner-signed-out': {
    title: m.problems_codesOwnerSignedOutTitle,
    advice: m.problems_codesOwnerSignedOutAdvice,
  },
  'no-such-merchant': {
    title: m.problems_codesNoSuchMerchantTitle,
    advice: m.problems_codesNoSuchMerchantAdvice,
  },
  'upstream-credential': {
    title: m.problems_codesUpstreamCredentialTitle,
    advice: m.problems_codesUpstreamCredentialAdvice,
  },
  'desk-unreachable': {
    title: m.problems_codesDeskUnreachableTitle,
    advice: m.problems_codesDeskUnreachableAdvice,
  },
  'desk-timeout': { title: m.problems_codesDeskTimeoutTitle, advice: m.problems_codesDeskTimeoutAdvice },
  'desk-bad-reply': {
    title: m.problems_codesDeskBadReplyTitle,
    advice: m.problems_codesDeskBadReplyAdvice,
  },
  'outcome-unknown': {
    title: m.problems_codesOutcomeUnknownTitle,
    advice: m.problems_codesOutcomeUnknownAdvice,
  },
  'store-unavailable': {
    title: m.problems_codesStoreUnavailableTitle,
    advice: m.problems_codesStoreUnavailableAdvice,
  },
  internal: {
    title: m.problems_codesInternalTitle,
    advice: m.problems_codesInternalAdvice,
  },
  'upstream-unreachable': {
    title: m.problems_codesUpstreamUnreachableTitle,
    advice: m.problems_codesUpstreamUnreachableAdvice,
  },
  'upstream-timeout': {
    title: m.problems_codesUpstreamTimeoutTitle,
    advice: m.problems_codesUpstreamTimeoutAdvice,
  },
  page: { title: m.problems_codesPageTitle, advice: m.problems_codesPageAdvice },
}

/** By its kind, where the code says nothing. */
const kinds: Record<ProblemDisplay['kind'], Texts> = {
  refused: { title: m.problems_kindsRefusedTitle, advice: m.problems_kindsRefusedAdvice },
  'slow-down': { title: m.problems_kindsSlowDownTitle, advice: m.problems_kindsSlowDownAdvice },
  unreachable: { title: m.problems_kindsUnreachableTitle, advice: m.problems_kindsUnreachableAdvice },
  broken: { title: m.problems_kindsBrokenTitle, advice: m.problems_kindsBrokenAdvice },
}

/** The icon, title and advice for a problem. */
export function chooseProblemDisplay(problem: ProblemInfo): ProblemDisplay {
  const own = Object.hasOwn(codes, problem.code) ? codes[problem.code] : undefined
  const chosen = classifyProblem(problem)
  const general = kinds[chosen.kind]
  // The advice for `internal` is to quote the request id, which an error on the way to the server doesn't have.
  const hasRequestId = problem.code !== 'internal' || problem.instance !== null
  return {
    ...chosen,
    title: own?.title() ?? problem.title ?? general.title(),
    advice: (hasRequestId && own?.advice()) || general.advice(),
  }
}

/** Links to a sign-in at the OpenID provider in another tab, so that this page stays as it is. */
export function ProviderLink({
  ref,
  size,
  children = m.problems_signInThroughTheProvider(),
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
