import type { Answer } from './request-cancellation'

/** 202 with the view; a submission that had come before says so in `Idempotency-Replayed`. */
export function answerCancellation({ cancellation, replayed }: Answer): Response {
  return Response.json(cancellation, { status: 202, ...(replayed && { headers: { 'idempotency-replayed': 'true' } }) })
}
