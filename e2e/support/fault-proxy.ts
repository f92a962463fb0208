import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { type Desk, makeFolder, type Service, startDesk, startService } from './desk'

/**
 * What the proxy does with cancellations: `pass`, `swallow-reply` (forwards the request, never replies), `reset-after`
 * (forwards the request, then resets the connection), `hold` (neither forwards nor replies).
 */
export type Fault = 'pass' | 'swallow-reply' | 'reset-after' | 'hold'

/**
 * What the proxy does with reads: `error` (500 in HTML with a script), `reset` (resets the connection without a reply),
 * `cut` (a truncated list), `hang` (never replies), `slow-down` (429 for three seconds), `redirect` (to another host).
 */
export type ReadFault = 'error' | 'reset' | 'cut' | 'hang' | 'slow-down' | 'redirect'

export type FaultProxy = {
  url: string
  setFault: (fault: Fault) => void
  /** Answers 500 to reads whose path `pick` matches; null restores all. */
  refuseReads: (pick: ((path: string) => boolean) | null) => void
  /** Applies a fault to reads, or only those whose path `pick` matches; null restores all. */
  spoilReads: (fault: ReadFault | null, pick?: (path: string) => boolean) => void
  /** Refuses connections until `comeBack`, which uses the same address. */
  goAway: () => Promise<void>
  comeBack: () => Promise<void>
  /** Resolves once a DELETE has arrived since the last setFault. */
  sawDelete: () => Promise<void>
  close: () => Promise<void>
}

const page = '<html><body><h1>Broken</h1><script>document.title = "taken over"</script></body></html>'

function spoil(fault: ReadFault, { socket }: IncomingMessage, outgoing: ServerResponse): void {
  switch (fault) {
    case 'error':
      outgoing.writeHead(500, { 'content-type': 'text/html' }).end(page)
      break
    case 'reset':
      socket.resetAndDestroy()
      break
    case 'cut':
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      outgoing.write('{"results":[{"id":"cut-off"},')
      setTimeout(() => socket.resetAndDestroy(), 20)
      break
    case 'slow-down':
      outgoing.writeHead(429, { 'retry-after': '3' }).end()
      break
    case 'redirect':
      outgoing.writeHead(302, { location: '/elsewhere' }).end()
      break
    case 'hang':
      break
  }
}

/** Starts an HTTP proxy in front of the service at `target` that injects faults into cancellations and reads. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault = 'pass'
  let isRefused: ((path: string) => boolean) | null = null
  let readFault: ReadFault | null = null
  let isSpoiled: (path: string) => boolean = () => true
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
    if (incoming.method === 'GET' && readFault && isSpoiled(incoming.url ?? '')) {
      spoil(readFault, incoming, outgoing)
      return
    }
    if (incoming.method !== 'DELETE' || fault === 'pass') forward(incoming, outgoing, true)
    else if (fault !== 'hold') forward(incoming, outgoing, false)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
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
    spoilReads: (next, pick = () => true) => {
      readFault = next
      isSpoiled = pick
    },
    goAway: stop,
    comeBack: () => new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve)),
    sawDelete: () => arrived,
    close: stop,
  }
}

export type DeskBehindFaults = {
  desk: Desk
  service: Service
  proxy: FaultProxy
  admin: { email: string; password: string }
  /** Restarts the desk on the same address and data after it has ended. */
  restartDesk: () => Promise<void>
  close: () => Promise<void>
}

const admin = { email: 'first.admin@desk.example', password: 'correct-horse-battery' }

/** Starts a desk that reaches the service of another process through a proxy, as it would reach a real deployment. */
export async function startDeskBehindFaults(settings: Record<string, string> = {}): Promise<DeskBehindFaults> {
  const { folder, remove } = await makeFolder()
  const service = await startService(`${folder}/service-data`, { SEED_PAYMENTS: '200' })
  const proxy = await startFaultProxy(service.url)
  const given = {
    UPSTREAM_URL: proxy.url,
    UPSTREAM_TOKEN: service.token,
    DESK_ADMIN_EMAIL: admin.email,
    DESK_ADMIN_PASSWORD: admin.password,
    ...settings,
  }
  const pair: DeskBehindFaults = {
    desk: await startDesk(`${folder}/desk-data`, given),
    service,
    proxy,
    admin,
    restartDesk: async () => {
      const { port } = new URL(pair.desk.url)
      pair.desk = await startDesk(`${folder}/desk-data`, { ...given, PORT: port })
    },
    close: async () => {
      await pair.desk.command.stop()
      await proxy.close()
      await service.command.stop()
      await remove()
    },
  }
  return pair
}
