import { once } from 'node:events'
import type { Server } from 'node:http'
import { describeError } from '../describe-error'
import { log } from '../log'

/**
 * Has a server listen. Throws where it cannot; what fails once it listens, such as taking a single connection in, is a
 * line of the log and ends nothing.
 */
export async function listen(server: Server, port: number, hostname: string): Promise<void> {
  server.listen(port, hostname)
  await once(server, 'listening')
  server.on('error', (error) => log.error({ event: 'server-failed', error: describeError(error) }))
}
