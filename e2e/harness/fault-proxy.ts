import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'

/**
 * What the proxy does with the next cancellations: `pass`, `swallow-reply` (the service gets it, the
 * desk never hears of it), `reset-after` (the service gets it, then the connection breaks), `hold`
 * (nothing is passed on and nothing answered).
 */
export type Fault = 'pass' | 'swallow-reply' | 'reset-after' | 'hold'

export type FaultProxy = {
  url: string
  setFault: (fault: Fault) => void
  /** Answers 500 to the reads that `pick` names by their path; null lets all through again. */
  refuseReads: (pick: ((path: string) => boolean) | null) => void
  /** Resolves when a DELETE has arrived since the last call of setFault. */
  sawDelete: () => Promise<void>
  close: () => Promise<void>
}

/** An HTTP proxy before the service at `target` which spoils cancellations and the reads it is told to, and leaves all else alone. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault = 'pass'
  let isRefused: ((path: string) => boolean) | null = null
  let tellArrived = () => {}
  let arrived = Promise.resolve()
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, tell: boolean) => {
    const { method, headers } = incoming
    const passed = send(new URL(incoming.url ?? '/', target), { method, headers }, (reply) => {
      if (!tell) {
        reply.resume().on('end', () => fault === 'reset-after' && incoming.socket.resetAndDestroy())
        return
      }
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    passed.on('error', () => incoming.socket.destroy())
    incoming.pipe(passed)
  }
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'DELETE') tellArrived()
    if (incoming.method === 'GET' && isRefused?.(incoming.url ?? '')) {
      outgoing.writeHead(500).end()
      return
    }
    if (incoming.method !== 'DELETE' || fault === 'pass') forward(incoming, outgoing, true)
    else if (fault !== 'hold') forward(incoming, outgoing, false)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    setFault: (next) => {
      fault = next
      arrived = new Promise((resolve) => {
        tellArrived = resolve
      })
    },
    refuseReads: (pick) => {
      isRefused = pick
    },
    sawDelete: () => arrived,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
