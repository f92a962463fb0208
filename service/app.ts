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
    /** What a write amounted to, once it is known; the request log writes it down. */
    writeOutcome?: string
  }
}

/** The largest body in bytes. */
const bodyLimit = 1_048_576

const openapiAddress = { method: 'GET', path: '/openapi.json' } as const

const patterns = [...Object.values(addresses), openapiAddress].map(({ method, path }) => ({
  methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
}))

/** The methods that a path knows; empty for a path that is not of the interface. */
function allowedMethods(path: string): string[] {
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))]
}

function describeUnknown(url: string): Problem {
  const allowed = allowedMethods(url.split('?', 1)[0] ?? '')
  if (allowed.length === 0) return new Problem('not-found', 'There is no such path. Paths are case-sensitive.')
  return new Problem('method-not-allowed', `Here the service knows ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  })
}

/** Refuses by its headers a request that no handler should see. Throws Problem. */
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
 * Adds GET /openapi.json: the interface as OpenAPI 3.1. It tells nothing of any merchant and needs no credential, so
 * requests for it are limited by address.
 */
function serveOpenapi(app: FastifyInstance, requestsPerMinute: number): void {
  const problems = Object.entries(problemCatalogue).map(([code, entry]) => ({
    type: `${problemBase}${code}`,
    ...entry,
  }))
  const text = JSON.stringify(makeOpenapi(problems))
  app.get(openapiAddress.path, { config: { rateLimit: { max: requestsPerMinute } } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .type('application/json; charset=utf-8')
      .send(text),
  )
}

/** Builds the HTTP server over a context; nothing listens yet. */
export async function createApp(context: ServiceContext): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit,
    requestTimeout: REQUEST_TIMEOUT_SECONDS * 1_000,
    // Node looks for late requests every 30 s by itself, and takes the longer of two timeouts for that of the request.
    // Without Host Node would answer by itself, and not with a problem record.
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
  app.decorateRequest('writeOutcome', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error)))
  // Node would answer an expectation that it does not know by itself, and not with a problem record.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, describeUnknown(request.url)))
  app.addHook('onRequest', async (request) => {
    checkHeaders(request.raw)
    // Here already: of some methods Fastify would look at the body first, and fail over it.
    if (request.is404) throw describeUnknown(request.url)
  })
  const admit = await createAuthenticator(app, context)
  app.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const key = request.headers['idempotency-key']
    context.log.write({
      at: new Date().toISOString(),
      method: request.method,
      path: request.url,
      status: reply.statusCode,
      idempotencyKey: typeof key === 'string' ? key : null,
      outcome: request.writeOutcome ?? 'refused',
      body: request.method === 'DELETE' && Buffer.isBuffer(request.body) ? request.body.toString('utf8') : null,
    })
  })
  registerEndpoints(app, context, admit)
  serveOpenapi(app, context.requestsPerMinute)
  return app
}
