import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { isDecodable } from '@/lib/format/is-decodable'
import { Failure } from '@/lib/server/failure'
import { sealReply, startTrace, type Trace } from '@/lib/server/headers'
import { problemResponse } from '@/lib/server/problem-response'
import { getRequestFacts } from '@/lib/server/request-facts'
import { routeMethods } from '@/lib/server/route-handler'
import { addSecurityHeaders, buildPagePolicy, dataPolicy } from '@/lib/server/security-headers'

/** What lies in `public`, and its other address: the same for everybody. */
const publicFiles = ['/favicon.svg', '/favicon.ico']

/** What Next itself would answer with 500: a method it does not know, a path that does not decode (BF-02, BF-07). */
function findRefusal({ method, nextUrl }: NextRequest): Failure | null {
  const isKnown = routeMethods.some((known) => known === method)
  if (!isKnown) return new Failure('method-not-allowed', { allow: [...routeMethods] })
  return isDecodable(nextUrl.pathname) ? null : new Failure('bad-request', { detail: 'The path does not decode.' })
}

/** The trace that the log lines of this request name. */
function findTrace(request: NextRequest): Trace {
  return getRequestFacts() ?? startTrace(request.headers.get('traceparent'))
}

function refuse(failure: Failure, request: NextRequest): Response {
  const trace = findTrace(request)
  const response = sealReply(problemResponse(failure, trace.requestId), trace)
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

/** Data whose path goes on with an escape: the matcher cannot tell it from what is to be refused. */
function passData(): NextResponse {
  const response = NextResponse.next()
  response.headers.set('content-security-policy', dataPolicy)
  return response
}

/**
 * What stands before every page: refuses what Next would stumble over, and sets the headers that
 * tell browsers what it may do. Data is sealed by sealReplies and comes here to be refused alone (see guardRawRequests).
 * It decides nothing about who may do what: every handler and page does that itself, with or without this file (AZ-02).
 */
export function proxy(request: NextRequest): Response {
  const refusal = findRefusal(request)
  const isData = request.nextUrl.pathname.startsWith('/api/')
  const response = refusal ? refuse(refusal, request) : isData ? passData() : passPage(request)
  addSecurityHeaders(response.headers)
  return response
}

export const config = { matcher: '/((?!_next/static/|api/(?!%)|hooks/).*)' }
