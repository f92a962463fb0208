import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { within } from '@/lib/database/testing/within'
import { until } from './test-service'

export const processToken = 'a-token-for-the-process'

/** Starts the service as a separate process with its control port, and waits until it accepts requests. */
export async function startServiceProcess(environment: Record<string, string>) {
  const [port, controlPort] = [await findFreePort(), await findFreePort()]
  const child = spawn(process.execPath, ['scripts/run-program.mjs', 'service/serve.ts'], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      SERVICE_TOKEN: processToken,
      SERVICE_PORT: String(port),
      SERVICE_CONTROL_PORT: String(controlPort),
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (!isRunning()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await within(60_000, `the service to end after ${signal}: ${output.slice(-2_000)}`, ended)
  }
  await until(
    'the service to be ready',
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended: ${output}`)
      return output.includes('service ready') ? true : undefined
    },
    300_000,
  )
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`${processToken}:`)}` }
  const send =
    (base: string) =>
    (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      fetch(`${base}${path}`, {
        method,
        headers: { ...headers, ...more },
        signal: AbortSignal.timeout(60_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
  return {
    call: send(`http://127.0.0.1:${port}`),
    control: send(`http://127.0.0.1:${controlPort}`),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    isRunning,
  }
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
