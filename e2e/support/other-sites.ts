import { createServer, request as send } from 'node:http'

export type Site = { origin: (host: string) => string; close: () => Promise<void> }

/** Starts a site on loopback that serves `pages`, reachable under any host name through the browser's resolver rules. */
export async function startSite(pages: Record<string, string>): Promise<Site> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://site.test').pathname]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page ?? '')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: (host) => `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type CachingProxy = {
  url: string
  /** The paths of all cached replies. */
  kept: () => string[]
  close: () => Promise<void>
}

type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/**
 * Starts a careless shared cache: it stores every GET reply that does not forbid it, for all users and by path only,
 * ignoring queries, cookies, `Vary` and all other headers. Cached replies have `x-cache: hit`.
 */
export async function startCachingProxy(target: string): Promise<CachingProxy> {
  const store = new Map<string, Reply>()
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', target)
    const hit = incoming.method === 'GET' ? store.get(url.pathname) : undefined
    if (hit) {
      outgoing.writeHead(hit.status, { ...hit.headers, 'x-cache': 'hit' }).end(hit.body)
      return
    }
    const { method, headers } = incoming
    const passed = send(url, { method, headers: { ...headers, host: url.host } }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const { 'transfer-encoding': _, ...told } = reply.headers
        const answer = { status: reply.statusCode ?? 502, headers: told, body: Buffer.concat(chunks) }
        const isForbidden = /no-store|private/iu.test(told['cache-control'] ?? '')
        if (method === 'GET' && !isForbidden) store.set(url.pathname, answer)
        outgoing.writeHead(answer.status, told).end(answer.body)
      })
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    kept: () => [...store.keys()].toSorted(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
