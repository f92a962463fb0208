import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { AppError } from '@/lib/server/runtime/app-error'
import { setReplyHeaders, startTrace, type Trace } from '@/lib/server/runtime/trace'
import { createProblemResponse } from '@/lib/server/http/problem-details'
import { getRequestContext, isGuarded } from '@/lib/server/runtime/request-context'
import { buildPagePolicy, dataPolicy } from '@/lib/server/http/security-headers'

/** What lies in `public`, and its other address: the same for everybody. */
const publicFiles = ['/favicon.svg', '/favicon.ico']

/** The trace that the log lines of this request name. */
function findTrace(request: NextRequest): Trace {
  return getRequestContext() ?? startTrace(request.headers.get('traceparent'))
}

/** A page that was asked for around the desk's own server. */
function refuseUnguarded(): Response {
  const trace = startTrace()
  const response = setReplyHeaders(createProblemResponse(new AppError('internal'), trace.requestId), trace)
  response.headers.set('content-security-policy', dataPolicy)
  return response
}

function passPage(request: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString('base64')
  const policy = buildPagePolicy(nonce)
  const headers = new Headers(request.headers)
  // Next takes the nonce for its own scripts from the request's policy.
  headers.set('content-security-policy', policy)
  headers.set('x-nonce', nonce)
  headers.set('x-desk-path', `${request.nextUrl.pathname}${request.nextUrl.search}`)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  if (publicFiles.includes(request.nextUrl.pathname)) return response
  // Next says so of its pages, but not where one only leads to another (BF-10).
  response.headers.set('cache-control', 'private, no-store')
  const { requestId, traceparent } = findTrace(request)
  response.headers.set('x-request-id', requestId)
  response.headers.set('traceparent', traceparent)
  return response
}

/**
 * Stands before every page: sets the headers that tell browsers what it may do. Data and built files get theirs from the
 * desk's server (lib/server/http), which also refuses what Next would stumble over; only through it are pages reached.
 * It decides nothing about who may do what: every handler and page does that itself, with or without this file (AZ-02).
 */
export function proxy(request: NextRequest): Response {
  return isGuarded() ? passPage(request) : refuseUnguarded()
}

export const config = { matcher: '/((?!_next/static/|api/|hooks/).*)' }
