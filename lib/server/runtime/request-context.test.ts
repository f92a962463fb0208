import { createServer, Agent, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as breathe } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { log } from './log'
import {
  withRequestContext,
  getRequestContext,
  inBackground,
  createRequestContext,
  rememberSession,
  runWithContext,
} from './request-context'

const server = createServer((request, response) => {
  void runWithContext(createRequestContext(request), async () => {
    const facts = getRequestContext()
    const email = `${new URL(request.url ?? '', 'http://desk').searchParams.get('who')}@example.com`
    rememberSession({ sessionId: 's', userId: email, email, scope: { connectionId: 'default' } })
    await breathe()
    response.end(JSON.stringify({ before: facts, after: getRequestContext() }))
  })
})
const agent = new Agent({ keepAlive: true, maxSockets: 2 })

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  agent.destroy()
  server.close()
})

function ask(
  who: string,
  traceparent?: string,
): Promise<{ before: Record<string, string>; after: Record<string, string> }> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get(
      { port, host: '127.0.0.1', path: `/?who=${who}`, agent, headers: traceparent ? { traceparent } : {} },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
      },
    ).on('error', reject)
  })
}

test('gives each request facts of its own, on shared connections too', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => ask(`person${number}`)))
  expect(new Set(answers.map(({ after }) => after.requestId)).size).toBe(20)
  for (const [number, { before, after }] of answers.entries()) {
    expect(after).toMatchObject({ ...before, peer: '127.0.0.1', email: `person${number}@example.com` })
  }
})

test('goes on with the trace that a request brings', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  expect((await ask('anybody', `00-${trace}-00f067aa0ba902b7-01`)).after.traceId).toBe(trace)
})

test('keeps the facts of a request out of what the desk does by itself', async () => {
  const request = new Request('http://desk.example/', { headers: { 'x-debitdesk-peer': '192.0.2.7' } })
  await withRequestContext(request, async (facts) => {
    rememberSession({ sessionId: 's', userId: 'u', email: 'ann@example.com', scope: { connectionId: 'default' } })
    expect(getRequestContext()).toMatchObject({ peer: '192.0.2.7', userId: 'u' })
    const own = await inBackground(async () => {
      await breathe()
      return getRequestContext()
    })
    expect(own).not.toHaveProperty('peer')
    expect(own).not.toHaveProperty('userId')
    expect(own?.requestId).not.toBe(facts.requestId)
  })
  expect(getRequestContext()).toBeUndefined()
})

test('names the request in each line of the log', async () => {
  const written: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
  const facts = await withRequestContext(new Request('http://desk.example/'), async (facts) => {
    await breathe()
    log.warn({ event: 'something' })
    return facts
  })
  write.mockRestore()
  expect(written.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ event: 'something', requestId: facts.requestId, traceId: facts.traceId }),
  ])
})
