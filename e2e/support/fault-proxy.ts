import { type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type RecordedRequest, type Script, startFaultService } from '@/lib/server/testing/fault-service'
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

const spoiled: Record<ReadFault, Script> = {
  error: { status: 500, headers: { 'content-type': 'text/html' }, body: page },
  reset: { resetBefore: true },
  cut: { body: '{"results":[{"id":"cut-off"},'.padEnd(5_000), resetAfterBytes: 29 },
  hang: { hang: true },
  'slow-down': { status: 429, headers: { 'retry-after': '3' }, body: '' },
  redirect: { status: 302, headers: { location: '/elsewhere' }, body: '' },
}

/** Headers that hold for one connection, and the length, which is written anew. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

async function copyReply(reply: IncomingMessage): Promise<Script> {
  const kept = Object.entries(reply.headersDistinct).filter(([name]) => !ownHeaders.has(name))
  const headers = Object.fromEntries(kept.map(([name, values = []]) => [name, values]))
  return { status: reply.statusCode ?? 502, headers, body: await buffer(reply) }
}

/** Sends a request on to `target`; one that gets no reply is a connection without one here, too. */
function forward(target: string, { method, path, headers, body }: RecordedRequest): Promise<Script> {
  const replied = new Promise<IncomingMessage>((resolve, reject) => {
    send(new URL(path, target), { method, headers }, resolve).on('error', reject).end(body)
  })
  return replied.then(copyReply).catch((): Script => ({ resetBefore: true }))
}

/** Starts an HTTP proxy in front of the service at `target` that injects faults into cancellations and reads. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let fault: Fault = 'pass'
  let isRefused: ((path: string) => boolean) | null = null
  let readFault: ReadFault | null = null
  let isSpoiled: (path: string) => boolean = () => true
  let tellArrived = () => {}
  let arrived = Promise.resolve()
  const answer = async (request: RecordedRequest): Promise<Script> => {
    const { method, path } = request
    if (method === 'GET' && isRefused?.(path)) return { status: 500, headers: {}, body: '' }
    if (method === 'GET' && readFault && isSpoiled(path)) return spoiled[readFault]
    if (method !== 'DELETE') return forward(target, request)
    tellArrived()
    const chosen = fault
    if (chosen === 'hold') return { hang: true }
    const reply = await forward(target, request)
    if (chosen === 'pass') return reply
    return chosen === 'reset-after' ? { resetBefore: true } : { hang: true }
  }
  let service = await startFaultService(answer)
  const { url } = service
  const goAway = () => service.close()
  return {
    url,
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
    goAway,
    comeBack: async () => {
      service = await startFaultService(answer, Number(new URL(url).port))
    },
    sawDelete: () => arrived,
    close: goAway,
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
