import { CallError } from './call-error'

/** What the service itself said, where it was the service that refused or failed. */
type UpstreamWords = { status: number | null; title: string | null; detail: string | null; instance: string | null }

/** A refusal or failure as people are told: our words from the code, the particulars from the problem record. */
export type ProblemFacts = {
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
export function readProblemFacts(error: unknown): ProblemFacts {
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
