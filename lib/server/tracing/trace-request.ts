import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { labelRequest } from '../metrics/route-label'
import type { RequestContext } from '../runtime/request-context'
import { tracer, writeTraceparent } from './spans'

type Run = <Result>(work: () => Result) => Result

/**
 * Begins the span of a request, which ends with its reply, and continues a caller's trace. The request's own trace becomes that
 * of the span. Returns what runs work within it.
 */
export function traceRequest(request: IncomingMessage, response: ServerResponse, about: RequestContext): Run {
  // Not `tracestate`, which is any text of a stranger's.
  const caller = propagation.extract(ROOT_CONTEXT, { traceparent: request.headers.traceparent })
  const { method } = labelRequest(request, about)
  const span = tracer().startSpan('request', { kind: SpanKind.SERVER }, caller)
  const spanContext = span.spanContext()
  if (!isSpanContextValid(spanContext)) return (work) => work()
  about.traceId = spanContext.traceId
  about.traceparent = writeTraceparent(spanContext)
  response.once('close', () => {
    const { route } = labelRequest(request, about)
    span.updateName(`${method} ${route}`)
    span.setAttributes({ 'http.request.method': method, 'http.route': route })
    if (response.writableFinished) span.setAttribute('http.response.status_code', response.statusCode)
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  const active = trace.setSpan(caller, span)
  return (work) => context.with(active, work)
}
