import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { addresses } from '@/lib/api-contract/addresses'
import { makeOpenapi } from '@/lib/api-contract/openapi'
import { createAuthenticator } from './http/authenticator'
import { registerEndpoints } from './endpoints'
import type { ServiceContext } from './http/handler'
import { handleClientError, HEADERS_TIMEOUT_SECONDS, REQUEST_TIMEOUT_SECONDS, toProblem } from './http/errors'
import { Problem, problemBase, problemCatalogue } from './http/problem'
import { sendProblem } from './http/reply'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a write that the contract allows came to, for the request log; a cancellation's body as JSON. */
    write?: { outcome: string; body: string | null }
  }
}

const MAX_BODY_BYTES = 1_048_576

const MAX_LOGGED_PATH = 300

const openapiRoute = { method: 'GET', path: '/openapi.json' } as const

const patterns = [...Object.values(addresses), openapiRoute].map(({ method, path }) => ({
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
}))

/** The methods that a path supports; empty for an unknown path. */
function allowedMethods(path: string): string[] {
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
}

function unknownRoute(url: string): Problem {
  const allowed = allowedMethods(url.split('?', 1)[0] ?? '')
  if (allowed.length === 0) return new Problem('not-found', 'There is no such path. Paths are case-sensitive.')
  return new Problem('method-not-allowed', `Here the service knows ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  })
}

/** Checks the headers Host and Expect, before any handler. Throws Problem. */
function checkHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): void {
  if (httpVersion !== '1.1') return
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts !== 1) {
    const rule = hosts === 0 ? 'is needed' : 'stands there twice'
    throw new Problem('validation', `The header Host ${rule}.`, { errors: { host: [rule] } })
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new Problem('expectation-failed', 'The only expectation that is met is 100-continue.')
}

/**
 * Adds GET /openapi.json: the API as OpenAPI 3.1. It reveals nothing about merchants and needs no credential, so
 * requests are limited by address.
 */
function serveOpenapi(app: FastifyInstance, requestsPerMinute: number): void {
  const problems = Object.entries(problemCatalogue).map(([code, entry]) => ({
    type: `${problemBase}${code}`,
    ...entry,
  }))
  const text = JSON.stringify(makeOpenapi(problems))
  app.get(openapiRoute.path, { config: { rateLimit: { max: requestsPerMinute } } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .type('application/json; charset=utf-8')
      .send(text),
  )
}

/** Builds the HTTP server; it does not listen yet. */
export async function createApp(context: ServiceContext): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_SECONDS * 1_000,
    // By default Node checks for late requests only every 30 s. Of the two timeouts it uses the longer one for requests.
    // With `requireHostHeader` Node would answer a missing Host itself, without a problem record.
    http: {
      connectionsCheckingInterval: 2_000,
      headersTimeout: HEADERS_TIMEOUT_SECONDS * 1_000,
      requireHostHeader: false,
    },
    clientErrorHandler: handleClientError,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, toProblem(error)),
  })
  app.decorateRequest('write', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error)))
  // Node would answer an unknown expectation itself, without a problem record.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, unknownRoute(request.url)))
  app.addHook('onRequest', async (request) => {
    checkHeaders(request.raw)
    // For some methods Fastify would parse the body before its not-found handler, and fail on it.
    if (request.is404) throw unknownRoute(request.url)
  })
  const authenticate = await createAuthenticator(app, context)
  app.addHook('onSend', async (request, reply) => {
    // Whatever anybody can send stays out of the log, which would lose its oldest lines by it.
    if (request.write === undefined) return
    const key = request.headers['idempotency-key']
    context.log.write({
      at: new Date().toISOString(),
      method: request.method,
      path: request.url.slice(0, MAX_LOGGED_PATH),
      status: reply.statusCode,
      idempotencyKey: typeof key === 'string' ? key.slice(0, 255) : null,
      ...request.write,
    })
  })
  registerEndpoints(app, context, authenticate)
  serveOpenapi(app, context.requestsPerMinute)
  return app
}
