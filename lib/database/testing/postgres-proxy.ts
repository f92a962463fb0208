import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Bytes in transit, their destination, and when they may be delivered. */
type Transfer = { to: Socket; chunk: Buffer; due: number }

/** What happens to the next COMMIT: whether the server receives it, and what the client sees of its connection. */
export type LostCommit = { isDelivered: boolean; after: 'reset' | 'silence' }

/** A client's connection and its counterpart at the server. Bytes always keep their order. */
class Link {
  readonly #transfers: Transfer[] = []
  #timer: NodeJS.Timeout | undefined
  #isSilent = false
  #isOver = false
  /** Set while the reply to a lost COMMIT is awaited. */
  #onAnswer: (() => void) | undefined

  constructor(
    readonly client: Socket,
    readonly server: Socket,
    readonly proxy: PostgresProxy,
  ) {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.setNoDelay(true)
      from.on('error', () => undefined)
      from.on('data', (chunk: Buffer) => this.#receive(from, to, chunk))
      from.on('close', () => {
        this.#isOver = true
        this.pump()
      })
    }
  }

  #receive(from: Socket, to: Socket, chunk: Buffer): void {
    if (from === this.server && this.#onAnswer) return this.#onAnswer()
    if (from === this.client && isCommit(chunk)) {
      const lost = this.proxy.takeLostCommit()
      if (lost) return this.#loseCommit(lost, chunk)
    }
    this.#transfers.push({ to, chunk, due: performance.now() + this.proxy.delayBy })
    this.pump()
  }

  #loseCommit({ isDelivered, after }: LostCommit, chunk: Buffer): void {
    const lose = () => {
      this.#isSilent = true
      if (after === 'reset') this.client.resetAndDestroy()
      this.proxy.tellLost()
    }
    if (!isDelivered) return lose()
    this.#onAnswer = lose
    this.server.write(chunk)
  }

  /** Delivers due bytes; a closed side is propagated only while bytes flow. */
  pump(): void {
    clearTimeout(this.#timer)
    if (this.#isSilent || this.proxy.isFrozen) return
    for (;;) {
      const [next] = this.#transfers
      if (!next) break
      const wait = next.due - performance.now()
      if (wait > 0) {
        this.#timer = setTimeout(() => this.pump(), wait)
        return
      }
      this.#transfers.shift()
      next.to.write(next.chunk)
    }
    if (this.#isOver) this.end()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.client.destroy()
    this.server.destroy()
  }

  reset(): void {
    this.#isSilent = true
    this.client.resetAndDestroy()
    this.server.resetAndDestroy()
  }
}

/** A COMMIT of drizzle and pg: a simple query of this word. */
function isCommit(chunk: Buffer): boolean {
  return chunk[0] === 0x51 && /^commit;?\0/iu.test(chunk.subarray(5).toString('latin1'))
}

/**
 * A proxy between a client and a Postgres without TLS that breaks connections as networks do. For tests:
 *
 *     const proxy = await PostgresProxy.start(postgres.url)
 *     const store = await openDatabase({ url: proxy.url, migrationsFolder, timeouts: { answer: 1_000 } })
 *     proxy.freeze()   // like an unreachable host: nothing is delivered or closed, new connections hang
 *     proxy.pass()     // resumes; withheld bytes arrive late
 */
export class PostgresProxy {
  readonly #links = new Set<Link>()
  readonly #server = createServer((client) => this.#accept(client))
  #target: URL
  #lostCommit: LostCommit | null = null
  #tellLost: () => void = () => undefined
  isFrozen = false
  delayBy = 0
  /** The target's address with the proxy's port. */
  url = ''

  private constructor(target: string) {
    this.#target = new URL(target)
  }

  static async start(target: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    const address = proxy.#server.address()
    const url = new URL(target)
    url.port = String(typeof address === 'object' ? address?.port : '')
    proxy.url = url.href
    return proxy
  }

  #accept(client: Socket): void {
    const link = new Link(client, connect(Number(this.#target.port), this.#target.hostname), this)
    this.#links.add(link)
    // Kept until both sides have noticed that the connection is gone.
    const forget = () => {
      if (link.client.closed && link.server.closed) this.#links.delete(link)
    }
    link.client.once('close', forget)
    link.server.once('close', forget)
  }

  /** The number of open client connections. */
  get open(): number {
    return [...this.#links].filter(({ client }) => !client.destroyed).length
  }

  /** Delivers everything, including withheld bytes. */
  pass(): void {
    this.isFrozen = false
    this.delayBy = 0
    for (const link of this.#links) link.pump()
  }

  /** Delivers and closes nothing in either direction. */
  freeze(): void {
    this.isFrozen = true
  }

  /** Delays all further bytes in both directions. */
  delay(milliseconds: number): void {
    this.delayBy = milliseconds
  }

  /** Breaks all open connections on both sides. */
  reset(): void {
    for (const link of this.#links) link.reset()
    this.#links.clear()
  }

  /**
   * Loses the reply to the next COMMIT of any connection, together with that connection: with `silence` the client keeps
   * waiting, with `reset` its connection breaks. If not delivered, the server keeps its transaction open. Resolves once
   * it is lost.
   */
  loseNextCommit(how: LostCommit): Promise<void> {
    this.#lostCommit = how
    return new Promise((resolve) => {
      this.#tellLost = resolve
    })
  }

  /** Leads new connections to another server, as an address does after a failover. */
  redirect(target: string): void {
    this.#target = new URL(target)
  }

  takeLostCommit(): LostCommit | null {
    const lost = this.#lostCommit
    this.#lostCommit = null
    return lost
  }

  tellLost(): void {
    this.#tellLost()
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const link of this.#links) link.end()
    await once(this.#server, 'close')
  }
}
