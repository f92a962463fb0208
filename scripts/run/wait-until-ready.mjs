import { setTimeout as pause } from 'node:timers/promises'
import { CommandFailure } from './command-failure.mjs'

const patience = 120_000

async function answers(url, headers) {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(5_000) })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}

/** Waits until `url` answers 2xx, at most two minutes; a child that ends meanwhile fails at once. */
export async function waitUntilReady(child, url, { headers = {}, log }) {
  let ended = ''
  void child.exited.then((reason) => (ended = reason))
  const until = Date.now() + patience
  const where = log ? ` Its log: ${log.path}` : ''
  while (!(await answers(url, headers))) {
    if (ended) throw new CommandFailure(`${child.name} did not start: ${child.lastLine() || ended}${where}`)
    if (Date.now() > until)
      throw new CommandFailure(`${child.name} did not answer within ${patience / 1_000} s.${where}`)
    await pause(100)
  }
}
