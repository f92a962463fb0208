import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** One request as it arrived. */
export type Arrived = { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }

export type DeskReply = { status?: number; json?: unknown; headers?: Record<string, string>; hangUp?: boolean }
type Handler = (request: Arrived) => DeskReply | Promise<DeskReply>

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8')
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  return text === '' ? null : JSON.parse(text)
}

function answer(response: ServerResponse, { status = 200, json = null, headers = {}, hangUp }: DeskReply): void {
  if (hangUp) return void response.socket?.destroy()
  const mediaType = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, { 'content-type': mediaType, ...headers })
  response.end(JSON.stringify(json))
}

/**
 * A real HTTP server for component tests: until `close`, `fetch` sends relative URLs to it, as a browser does to its
 * origin.
 */
export async function startDeskServer() {
  const arrived: Arrived[] = []
  let handler: Handler = () => ({ status: 404 })
  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request
      const one = { method, path: url, headers, body: await readBody(request) }
      arrived.push(one)
      answer(response, await handler(one))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const realFetch = globalThis.fetch
  globalThis.fetch = (input, init) => realFetch(new URL(input instanceof Request ? input.url : input, origin), init)
  return {
    arrived,
    /** Sets the reply to later requests. */
    answerWith: (next: Handler) => {
      handler = next
    },
    close: async () => {
      globalThis.fetch = realFetch
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type DeskServer = Awaited<ReturnType<typeof startDeskServer>>
