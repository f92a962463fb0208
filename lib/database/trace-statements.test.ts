import { SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './open-database'

const exporter = new InMemorySpanExporter()
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
const database = await openDatabase({ migrationsFolder: 'lib/server/store/migrations' })
afterAll(() => database.close())
beforeEach(() => exporter.reset())

const inSpan = <Result>(work: () => Promise<Result>) =>
  trace.getTracer('test').startActiveSpan('request', async (span) => work().finally(() => span.end()))

describe('statements', () => {
  it('are spans of the request that sends them, in transactions too, with their text but no values', async () => {
    const { db } = database
    await inSpan(async () => {
      await db.execute(sql`select id from users where email = ${'ada@debitdesk.example'}`)
      await db.transaction((tx) => tx.execute(sql`delete from users where email = ${'ada@debitdesk.example'}`))
    })
    const [select, remove, request] = exporter.getFinishedSpans()
    expect([select?.name, remove?.name]).toEqual(['SELECT users', 'DELETE users'])
    expect(select?.attributes['db.query.text']).toBe('select id from users where email = $1')
    const parent = request?.spanContext().spanId
    expect([select, remove].map((span) => span?.parentSpanContext?.spanId)).toEqual([parent, parent])
    expect(JSON.stringify([select?.attributes, remove?.attributes])).not.toContain('ada@')
  })

  it('that fail are marked, without the words of the database', async () => {
    await inSpan(() => database.db.execute(sql`select secret_word`)).catch(() => undefined)
    const [failed] = exporter.getFinishedSpans()
    expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(failed?.events).toEqual([])
  })

  it("of the desk's own work are no traces", async () => {
    await database.db.execute(sql`select 1`)
    expect(exporter.getFinishedSpans()).toEqual([])
  })
})
