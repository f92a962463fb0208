import { Agent, request } from 'node:http'

export type RawReply = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export type RawRequest = {
  method: string
  /** Sent as it stands: no client tidies it up. */
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

/** Makes a sender for requests that a careful client would never let out. */
export function makeSender(url: string): { send: (raw: RawRequest) => Promise<RawReply>; close: () => void } {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const send = ({ method, path, headers, body }: RawRequest) =>
    new Promise<RawReply>((resolve, reject) => {
      const length = body ? { 'content-length': String(body.length) } : {}
      const sent = request({ hostname, port, agent, method, path, headers: { ...headers, ...length } }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
  return { send, close: () => agent.destroy() }
}
