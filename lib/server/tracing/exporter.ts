import { diag, DiagLogLevel, ProxyTracerProvider, type TracerProvider, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { log } from '../runtime/log'

declare global {
  /** Sends the spans that wait; the server and Next's build are bundled separately. */
  var debitdeskFlushTraces: (() => Promise<void>) | undefined
}

const COMPLAINT_INTERVAL_MS = 60_000

/** What cannot be sent is told in the log, once a minute; its text may hold the collector's reply and stays out. */
function complainOfLosses(): void {
  let saidAt = -COMPLAINT_INTERVAL_MS
  const complain = () => {
    if (performance.now() - saidAt < COMPLAINT_INTERVAL_MS) return
    saidAt = performance.now()
    log.warn({ event: 'traces-not-sent' }, 'the collector at OTEL_EXPORTER_OTLP_ENDPOINT takes no spans')
  }
  const quiet = () => undefined
  diag.setLogger(
    { error: complain, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.ERROR },
  )
}

/**
 * Starts sending spans to the collector that the OTEL_EXPORTER_OTLP_ variables name, by OTLP over HTTP as JSON. Of all traces
 * `ratio` (0 to 1) are kept by their ids, whatever the flag of a caller's `traceparent` asks for.
 *
 * Libraries that trace by themselves are given a tracer that does nothing: Next would name its spans by the address with its query.
 */
export function startTraces({ serviceName, ratio }: { serviceName: string; ratio: number }): void {
  complainOfLosses()
  const sampler = new TraceIdRatioBasedSampler(ratio)
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler, remoteParentNotSampled: sampler }),
    // Lists of a thousand ids make long statements.
    spanLimits: { attributeValueLengthLimit: 2_000 },
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  // Sets the propagator and the context manager as well.
  provider.register()
  const nothing = new ProxyTracerProvider()
  const ours: TracerProvider = {
    getTracer: (name, version, options) =>
      name === 'debitdesk' ? provider.getTracer(name, version, options) : nothing.getTracer(name, version, options),
  }
  trace.disable()
  trace.setGlobalTracerProvider(ours)
  globalThis.debitdeskFlushTraces = () => provider.shutdown()
}
