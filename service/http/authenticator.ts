import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, type Caller } from './credentials'
import type { ServiceContext } from './handler'
import { Problem } from './problem'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential was found. */
    caller: Caller | null
  }
}

/** Finds the caller of a request and counts the request against the limits, before its body is read. Throws Problem. */
export type Authenticator = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** The caller of an authenticated request. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('The request was not admitted')
  return caller
}

function refuse(detail: string, milliseconds: number): Problem {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000))
  return new Problem('too-many-requests', `${detail} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/**
 * Limits requests per minute: by stored credential, however the header spells it, and by address where the credential
 * is missing or wrong. The credential is looked up first, so a correct one is never refused for wrong ones from its
 * address. Each limiter keeps the latest 5,000 keys; invented credentials are not among them, so an anonymous client
 * cannot reset a merchant's count. Beyond a limit the reply is 429 with Retry-After in whole seconds.
 */
export async function createAuthenticator(
  app: FastifyInstance,
  { database, requestsPerMinute, wrongCredentialsPerMinute }: ServiceContext,
): Promise<Authenticator> {
  app.decorateRequest('caller', null)
  await app.register(rateLimit, {
    global: false,
    timeWindow: 60_000,
    enableDraftSpec: true,
    errorResponseBuilder: (_request, { max, ttl }) => refuse(`There may be ${max} requests a minute.`, ttl),
  })
  const countByCredential = app.createRateLimit({
    max: requestsPerMinute,
    keyGenerator: (request) => requireCaller(request).tokenHash,
  })
  const countByAddress = app.createRateLimit({ max: wrongCredentialsPerMinute })

  return async (request, reply) => {
    try {
      request.caller = await authenticate(database.db, request.headers.authorization)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const wrong = await countByAddress(request)
      if (wrong.isAllowed || !wrong.isExceeded) throw error
      throw refuse(`An address may send ${wrongCredentialsPerMinute} wrong credentials a minute.`, wrong.ttl)
    }
    const count = await countByCredential(request)
    if (count.isAllowed) return
    reply.headers({
      'ratelimit-limit': count.max,
      'ratelimit-remaining': count.remaining,
      'ratelimit-reset': count.ttlInSeconds,
    })
    if (count.isExceeded) throw refuse(`A credential may make ${requestsPerMinute} requests a minute.`, count.ttl)
  }
}
