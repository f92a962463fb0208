import type { PGlite } from '@electric-sql/pglite'
import { SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'

type Query = (...given: unknown[]) => unknown

/** The text of a statement as `pg` and PGlite take it: with placeholders, never with values. */
function readText([statement]: unknown[]): string {
  if (typeof statement === 'string') return statement
  const text: unknown = typeof statement === 'object' && statement !== null && Reflect.get(statement, 'text')
  return typeof text === 'string' ? text : ''
}

/** `SELECT payments`: the statement's verb and the first table it names. */
function nameStatement(text: string): string {
  const [verb = 'statement'] = /^\s*\w+/u.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/iu.exec(text) ?? []
  return [verb.trim().toUpperCase(), ...(table ? [table] : [])].join(' ')
}

/**
 * Sends statements in spans of their own, with their text but without values, where they belong to a span: those of the desk's own
 * work, such as its heartbeats, would each be a trace.
 */
function traceQuery(query: Query): Query {
  return async (...given) => {
    // Asked of its flags: within Next the active span is a stand-in that records nothing itself.
    const flags = trace.getActiveSpan()?.spanContext().traceFlags ?? TraceFlags.NONE
    if ((flags & TraceFlags.SAMPLED) === 0) return query(...given)
    const text = readText(given)
    const span = trace.getTracer('debitdesk').startSpan(nameStatement(text), {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    })
    try {
      return await query(...given)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}

/** The `query` of a client or pool, traced. */
export function tracedQuery(client: object): Query {
  const query: unknown = Reflect.get(client, 'query')
  if (typeof query !== 'function') throw new TypeError('There is no method query')
  return traceQuery((...given) => Reflect.apply(query, client, given))
}

/** Traces PGlite, whose transactions hand their work a client of its own. */
export function tracePglite(client: PGlite): void {
  Reflect.set(client, 'query', tracedQuery(client))
  const transact = client.transaction.bind(client)
  Reflect.set(client, 'transaction', (work: Parameters<typeof transact>[0]) =>
    transact((tx) => {
      Reflect.set(tx, 'query', tracedQuery(tx))
      return work(tx)
    }),
  )
}
