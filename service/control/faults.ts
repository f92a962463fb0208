import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { Problem } from '../http/problem'
import { sendProblem } from '../http/reply'

/** A fault for the next matching requests. */
export const faultInput = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).optional(),
  /** A path prefix such as `/Payments`. Absent: every path. */
  path: z.string().startsWith('/').max(500).optional(),
  /** Number of requests. */
  times: z.number().int().min(1).max(10_000).default(1),
  kind: z.enum([
    'too-many-requests',
    'empty-500',
    'html-500',
    'truncated-json',
    'slow',
    'hang',
    'hang-after-accept',
    'reset',
    'reset-after-accept',
  ]),
  /** Seconds in the Retry-After of `too-many-requests`. Absent: no such header. */
  retryAfter: z.number().int().min(0).max(86_400).optional(),
  /** Milliseconds, for `slow`. */
  delay: z.number().int().min(0).max(600_000).default(3_000),
})

export type Fault = z.output<typeof faultInput>

export type Faults = {
  list: () => Fault[]
  add: (fault: Fault) => void
  clear: () => void
  take: (method: string, path: string) => Fault | undefined
}

/** The waiting faults, first in, first out. */
export function makeFaults(): Faults {
  let waiting: Fault[] = []
  return {
    list: () => waiting,
    add: (fault) => void waiting.push({ ...fault }),
    clear: () => {
      waiting = []
    },
    take: (method, path) => {
      const matching = waiting.find(
        (fault) => (fault.method ?? method) === method && path.startsWith(fault.path ?? '/'),
      )
      if (!matching) return undefined
      matching.times -= 1
      waiting = waiting.filter(({ times }) => times > 0)
      return matching
    },
  }
}

const errorPage = '<!doctype html><title>Error</title><script>document.title="run"</script><h1>Server Error</h1>'

function slowDown({ retryAfter }: Fault): Problem {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return new Problem('too-many-requests', 'Slow down.', { headers })
}

function sendRaw(reply: FastifyReply, status: number, type: string, text: string, length = text.length): void {
  reply.hijack()
  reply.raw.writeHead(status, { 'content-type': type, 'content-length': length })
  if (length === text.length) reply.raw.end(text)
  else reply.raw.write(text, () => reply.raw.destroy())
}

/** Adds hooks that inject faults. Those named `…-after-accept` let the request do its work and then break the reply. */
export function injectFaults(app: FastifyInstance, faults: Faults): void {
  const afterAccept = new WeakMap<object, Fault>()
  const hanging = new Set<{ destroy: () => unknown }>()
  const timers = new Set<NodeJS.Timeout>()

  /** Lets a request proceed later; if the service closes first, its connection is closed. */
  function delay(socket: { destroy: () => unknown }, milliseconds: number, proceed: () => void): void {
    hanging.add(socket)
    const timer = setTimeout(() => {
      timers.delete(timer)
      hanging.delete(socket)
      proceed()
    }, milliseconds)
    timers.add(timer)
  }

  /** Replies instead of the service; false when the request is to proceed. */
  function injectFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): boolean {
    switch (fault.kind) {
      case 'too-many-requests':
        sendProblem(request, reply, slowDown(fault))
        return true
      case 'empty-500':
        sendRaw(reply, 500, 'text/plain', '')
        return true
      case 'html-500':
        sendRaw(reply, 500, 'text/html', errorPage)
        return true
      case 'truncated-json':
        sendRaw(reply, 200, 'application/json', '{"results":[{"id":"', 5_000)
        return true
      case 'hang':
        reply.hijack()
        hanging.add(request.raw.socket)
        return true
      case 'reset':
        reply.hijack()
        request.raw.socket.resetAndDestroy()
        return true
      default:
        afterAccept.set(request, fault)
        return false
    }
  }

  app.addHook('onRequest', (request, reply, proceed) => {
    const fault = faults.take(request.method, request.url)
    if (fault?.kind === 'slow') delay(request.raw.socket, fault.delay, proceed)
    else if (fault === undefined || !injectFault(fault, request, reply)) proceed()
  })

  app.addHook('onSend', async (request) => {
    const fault = afterAccept.get(request)
    if (fault?.kind === 'reset-after-accept') request.raw.socket.resetAndDestroy()
    if (fault?.kind !== 'hang-after-accept') return
    hanging.add(request.raw.socket)
    await new Promise((resolve) => request.raw.socket.once('close', resolve))
  })

  app.addHook('preClose', async () => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of hanging) socket.destroy()
  })
}
