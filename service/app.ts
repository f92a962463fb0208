import Fastify, { type FastifyInstance } from 'fastify'
import { addresses } from '@/lib/contract/addresses'
import { bindEndpoints } from './bind'
import type { ServiceContext } from './context'
import { answerClientError } from './http/answer-client-error'
import { explainFailure } from './http/explain-failure'
import { Problem } from './http/problem'
import { sendProblem } from './http/send'
import { limitRate } from './limit-rate'
import { serveOpenapi } from './serve-openapi'

declare module 'fastify' {
  interface FastifyRequest {
    /** What a write amounted to, once it is known; the request log writes it down. */
    writeOutcome?: string
  }
}

/** The largest body in bytes. */
const bodyLimit = 1_048_576

const patterns = Object.values(addresses).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
}))

/** The methods that a path knows; empty for a path that is not of the interface. */
function allowedMethods(path: string): string[] {
  return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}

function describeUnknown(url: string): Problem {
  const allowed = allowedMethods(url.split('?', 1)[0] ?? '')
  if (allowed.length === 0) return new Problem('not-found', 'There is no such path. Paths are case-sensitive.')
  return new Problem('method-not-allowed', `Here the service knows ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  })
}

/** Builds the HTTP server over a context; nothing listens yet. */
export async function createApp(context: ServiceContext): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit,
    requestTimeout: 30_000,
    // Node looks for late requests every 30 s by itself, and takes the longer of two timeouts for that of the request.
    // Without Host Node would answer by itself, and not with a problem record.
    http: { connectionsCheckingInterval: 2_000, headersTimeout: 20_000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, explainFailure(error)),
  })
  app.decorateRequest('writeOutcome', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, explainFailure(error)))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, describeUnknown(request.url)))
  app.addHook('onRequest', async ({ headers, raw }) => {
    if (headers.host === undefined && raw.httpVersion === '1.1')
      throw new Problem('validation', 'The header Host is needed.', { errors: { host: ['is needed'] } })
  })
  await limitRate(app, context.requestsPerMinute)
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
  bindEndpoints(app, context)
  serveOpenapi(app)
  return app
}
