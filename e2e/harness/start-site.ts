import { createServer } from 'node:http'

export type Site = { origin: (host: string) => string; close: () => Promise<void> }

/** A web site on loopback, reachable under any host name through the browser's resolver rule, which serves `pages`. */
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
