import { Agent, get } from 'node:http'
import { CommandError } from '../support/command.mjs'

/** NaN of no values. */
export const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

type Target = { url: string; headers?: Record<string, string> }

/** Milliseconds of a request by itself, and requests per second when saturated. */
export type GatewayReading = { alone: number; saturated: number }

function ask(agent: Agent, { url, headers }: Target): Promise<{ took: number; body: Buffer }> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('error', reject)
      reply.on('end', () => {
        if (reply.statusCode === 200) resolve({ took: performance.now() - began, body: Buffer.concat(parts) })
        else reject(new CommandError(`${new URL(url).pathname} answered ${reply.statusCode}.`))
      })
    }).on('error', reject)
  })
}

/** Requests per second over 32 connections during `seconds`. */
async function saturate(target: Target, seconds: number): Promise<number> {
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
 * requests per second when saturated. Returns the readings by name.
 */
export async function measureGateway<Name extends string>(
  targets: ReadonlyMap<Name, Target>,
  { requests, seconds }: { requests: number; seconds: number },
): Promise<Map<Name, GatewayReading>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const taken = new Map<Name, number[]>()
  for (let turn = -20; turn < requests; turn += 1) {
    for (const [name, target] of targets) {
      const { took } = await ask(agent, target)
      if (turn >= 0) taken.set(name, [...(taken.get(name) ?? []), took])
    }
  }
  agent.destroy()
  const results = new Map<Name, GatewayReading>()
  for (const [name, target] of targets) {
    // Not counted: a server's code is still being optimized in its first seconds of load.
    await saturate(target, seconds)
    results.set(name, { alone: median(taken.get(name) ?? []), saturated: await saturate(target, seconds) })
  }
  return results
}

/** Milliseconds per page of a minimal client that requests `pages` pages one after the other and parses each. */
export async function measureClient(upstream: string, pages: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const began = performance.now()
  let after: string | null = ''
  let count = 0
  while (count < pages && after !== null) {
    const { body }: { body: Buffer } = await ask(agent, {
      url: `${upstream}/Payments?limit=100${after && `&after=${after}`}`,
    })
    after = JSON.parse(body.toString()).nextOffset
    count += 1
  }
  agent.destroy()
  return (performance.now() - began) / count
}
