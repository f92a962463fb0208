import { createServer, type IncomingMessage } from 'node:http'
import { addresses } from '@/lib/api-contract/addresses'
import { serviceHandler } from '../../upstream/gateway'
import type { Session } from '../../auth/session'
import { matchPath, orderedIds } from '../deployments/deployment'

export type Gateway = {
  /** Calls the gateway over HTTP like a page of the desk; the path is a documented one. */
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; headers: Headers; json: unknown }>
  close: () => Promise<void>
}

function readHeaders({ headers }: IncomingMessage): Headers {
  const read = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)) read.set(name, value)
  }
  return read
}

/** The desk's gateway on loopback, with all documented paths and a signed-in admin. */
export async function startGateway(session: Session): Promise<Gateway> {
  const server = createServer((incoming, outgoing) => {
    const serve = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
      const { method = 'GET', url = '/' } = incoming
      const { pathname } = new URL(url, 'http://gateway')
      const found = orderedIds.flatMap((id) => {
        const params = addresses[id].method === method ? matchPath(addresses[id].path, pathname) : null
        return params && id !== 'cancelPayment' ? [{ id, params }] : []
      })[0]
      if (!found) throw new Error('no such endpoint')
      const request = new Request(new URL(url, process.env.NEXTAUTH_URL), {
        method,
        headers: readHeaders(incoming),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const response = await serviceHandler(found.id, async () => session)(request, {
        params: Promise.resolve(found.params),
      })
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
    }
    serve().catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  process.env.NEXTAUTH_URL = url
  return {
    ask: async (method, path, body) => {
      const isWrite = method !== 'GET'
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(isWrite && { origin: url, 'x-debitdesk': '1' }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, headers: response.headers, json: await response.json() }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
