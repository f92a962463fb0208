import { setTimeout as pause } from 'node:timers/promises'
import { within } from '@/lib/database/testing/within'
import type { DeskServerOptions } from '../desk-server'
import type { TestServer } from './start-test-server'

/** A request as bytes; `more` are further header lines. */
export const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: desk\r\n${more}\r\n`
/** The header line after whose reply the server closes. */
export const last = 'Connection: close\r\n'

/** Waits until something holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const wait = async () => {
    while (!(await holds())) await pause(10)
  }
  await within(60_000, what, wait())
}

export function countConnections({ server }: TestServer): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

/** A handler that answers when it is let go, and what it has seen meanwhile. */
export function makeHeldHandler() {
  const seen: string[] = []
  const left: string[] = []
  const held: (() => void)[] = []
  const handle: DeskServerOptions['handle'] = async ({ url = '' }, response) => {
    seen.push(url)
    response.once('close', () => {
      if (!response.writableFinished) left.push(url)
    })
    await new Promise<void>((resolve) => held.push(resolve))
    response.end(url)
  }
  return { handle, seen, left, letGo: () => held.splice(0).forEach((resolve) => resolve()) }
}
