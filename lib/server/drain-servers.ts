import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

type Exchange = { request: IncomingMessage; response: ServerResponse; server: Server }

/** Guarantee: Node documents this channel's message as an object with these three. */
function readExchange(message: unknown): Exchange {
  return message as Exchange
}

declare global {
  var debitdeskServers: { servers: Set<Server>; running: Set<ServerResponse> } | undefined
}

const lookEvery = 50

/** Keeps in mind which servers this process has and what they are answering. Call it once at start. */
export function watchServers(): void {
  if (globalThis.debitdeskServers) return
  const watched = { servers: new Set<Server>(), running: new Set<ServerResponse>() }
  globalThis.debitdeskServers = watched
  subscribe('http.server.request.start', (message) => {
    const { response, server } = readExchange(message)
    watched.servers.add(server)
    watched.running.add(response)
    response.once('close', () => watched.running.delete(response))
  })
}

/** Accepts no connection any more and answers what was asked; done when nothing is being answered. */
export async function drainServers(): Promise<void> {
  const { servers, running } = globalThis.debitdeskServers ?? { servers: new Set<Server>(), running: new Set() }
  for (const server of servers) server.close()
  while (running.size > 0) {
    await wait(lookEvery)
    for (const server of servers) server.closeIdleConnections()
  }
}
