import { Agent, get } from 'node:http'
import { CommandError } from '../support/command.mjs'

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]

function ask(agent, { url, headers }) {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (reply) => {
      const parts = []
      reply.on('data', (part) => parts.push(part))
      reply.on('error', reject)
      reply.on('end', () => {
        if (reply.statusCode === 200) resolve({ took: performance.now() - began, body: Buffer.concat(parts) })
        else reject(new CommandError(`${new URL(url).pathname} answered ${reply.statusCode}.`))
      })
    }).on('error', reject)
  })
}

/** Requests per second over 32 connections during `seconds`. */
async function saturate(target, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const began = performance.now()
  let count = 0
  const work = async () => {
    while (performance.now() - began < seconds * 1_000) {
      await ask(agent, target)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, work))
  agent.destroy()
  return count / ((performance.now() - began) / 1_000)
}

/**
 * Measures each target (name → { url, headers }): milliseconds of single requests, alternating between the targets, and
 * requests per second when saturated. Returns name → { alone, saturated }.
 */
export async function measureGateway(targets, { requests, seconds }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const taken = new Map(Object.keys(targets).map((name) => [name, []]))
  for (let turn = -20; turn < requests; turn += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const { took } = await ask(agent, target)
      if (turn >= 0) taken.get(name).push(took)
    }
  }
  agent.destroy()
  const results = {}
  for (const [name, target] of Object.entries(targets)) {
    // Not counted: a server's code is still being optimized in its first seconds of load.
    await saturate(target, seconds)
    results[name] = { alone: median(taken.get(name)), saturated: await saturate(target, seconds) }
  }
  return results
}

/** Milliseconds per page of a minimal client that requests `pages` pages one after the other and parses each. */
export async function measureClient(upstream, pages) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const began = performance.now()
  let after = ''
  let count = 0
  while (count < pages && after !== null) {
    const { body } = await ask(agent, { url: `${upstream}/Payments?limit=100${after && `&after=${after}`}` })
    after = JSON.parse(body).nextOffset
    count += 1
  }
  agent.destroy()
  return (performance.now() - began) / count
}
