import { problemRecord } from '@/lib/contract/problem'
import { Failure } from '../failure'
import { readPlainText } from '../plain-text'
import type { UpstreamReply } from '../upstream'
import type { ReplyEvidence } from './evidence'

/**
 * What is known after one request that cancels. `refused`, `slow-down` and `not-sent` had surely no effect;
 * `declined` says no, which a read must confirm; `unknown` may have been done or not.
 */
export type SendOutcome =
  | { kind: 'accepted' | 'refused' | 'declined'; reply: ReplyEvidence }
  | { kind: 'slow-down'; reply: ReplyEvidence; retryAfter: string | undefined }
  | { kind: 'not-sent'; failure: string }
  | { kind: 'unknown'; reply?: ReplyEvidence; failure?: string }

/** Why a request was not sent whose time was over before its first byte: it may be sent when it is read anew. */
export const leaseLost = 'lease-lost'

/** 4xx that do not say what became of the request: somebody on the way gave up, or wants it again. */
const indefinite = [408, 425, 499]

/** Requests that the service did not take at all, for their form: nothing can have come of them. */
const formal = [400, 405, 406, 411, 413, 414, 415, 417, 426, 431, 451]

function readReplyEvidence({ status, json }: UpstreamReply): ReplyEvidence {
  const read = problemRecord.safeParse(json)
  if (!read.success) return { status, detail: readPlainText(json) }
  const { type, title, detail, instance, traceId } = read.data
  return {
    status,
    type: readPlainText(type),
    title: readPlainText(title),
    detail: readPlainText(detail),
    instance: readPlainText(instance),
    traceId: readPlainText(traceId),
  }
}

/** The reason as a service repeats it in its reply; few do. */
function readEcho({ json }: UpstreamReply): { text?: string } {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, 'text')) return {}
  const text: unknown = Reflect.get(json, 'text')
  if (text === null) return { text: '' }
  return typeof text === 'string' ? { text: readPlainText(text) ?? '' } : {}
}

/** Judges a reply to the request that cancels by its status alone; what is in it are only words. */
export function classifyReply(reply: UpstreamReply): SendOutcome {
  const { status } = reply
  const evidence = readReplyEvidence(reply)
  if (status >= 200 && status < 300) return { kind: 'accepted', reply: { ...evidence, ...readEcho(reply) } }
  if (status === 401 || status === 403) return { kind: 'refused', reply: evidence }
  if (status === 429) return { kind: 'slow-down', reply: evidence, retryAfter: reply.headers['retry-after'] }
  if (status >= 400 && status < 500 && !indefinite.includes(status)) return { kind: 'declined', reply: evidence }
  return { kind: 'unknown', reply: evidence }
}

/** Judges a request that brought no reply. Only proof that nothing was written makes it not sent. */
export function classifyFailure(error: unknown): SendOutcome {
  if (!(error instanceof Failure)) return { kind: 'unknown', failure: 'internal' }
  const { code, evidence } = error
  // 'bad-request' is our own: the address could not be built, so there was nothing to write.
  if (evidence.written === false || code === 'bad-request') return { kind: 'not-sent', failure: code }
  return { kind: 'unknown', failure: code, ...(evidence.upstream && { reply: { status: evidence.upstream.status } }) }
}

/**
 * Whether a refusal by 4xx is about the request's form. Any other (404, 409, 410, 422 …) may also be the
 * answer to a doubled request whose first was accepted and takes effect a little later.
 */
export function isFormal(reply: ReplyEvidence | undefined): boolean {
  return reply !== undefined && formal.includes(reply.status)
}
