import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/*
 * The spans of a trace: a request (trace-request.ts), its calls of the upstream API (named by endpoint) and its statements
 * (lib/database/trace-statements.ts). Their names and attributes come from closed lists, like the labels of the metrics:
 * never an address as it was asked for, a person, a merchant or a value. Without an exporter they cost a comparison.
 */

export const tracer = () => trace.getTracer('debitdesk')

/** The W3C `traceparent` that names a span. */
export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags % 2 === 1 ? '01' : '00'}`
}

/** The W3C `traceparent` of the current span; undefined outside of one. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  return span && isSpanContextValid(span) ? writeTraceparent(span) : undefined
}

/** A context whose trace is the given one, for work that no span began. */
function continueTrace(traceparent: string | undefined) {
  const active = context.active()
  if (trace.getSpan(active) || traceparent === undefined) return active
  return propagation.extract(active, { traceparent })
}

/** Runs a call of the upstream API in a span of its own: of the request, or of the trace that the desk's own work is logged under. */
export function traceUpstreamCall<Result>(
  endpoint: { id: string; method: string; path: string },
  traceparent: string | undefined,
  call: (span: Span) => Promise<Result>,
): Promise<Result> {
  const attributes = { 'http.request.method': endpoint.method, 'url.template': endpoint.path }
  const options = { kind: SpanKind.CLIENT, attributes }
  return tracer().startActiveSpan(endpoint.id, options, continueTrace(traceparent), async (span) => {
    try {
      return await call(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Runs the desk's own work outside of whatever span happened to start it. */
export function outsideSpans<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work)
}
