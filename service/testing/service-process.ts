import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { at, until } from './test-service'

export const processToken = 'a-token-for-the-process'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = Number(at(probe.address(), 'port'))
  probe.close()
  await once(probe, 'close')
  return port
}

/** Starts the service as a process of its own, with its control port, and waits until it accepts requests. */
export async function startServiceProcess(environment: Record<string, string>) {
  const [port, controlPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ['scripts/run/run-program.mjs', 'service/serve.ts'], {
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
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await once(child, 'exit')
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`It ended: ${output}`)
    return output.includes('service ready') ? true : undefined
  }, 300_000)
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`${processToken}:`)}` }
  const send =
    (base: string) =>
    (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      fetch(`${base}${path}`, {
        method,
        headers: { ...headers, ...more },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
  return {
    call: send(`http://127.0.0.1:${port}`),
    control: send(`http://127.0.0.1:${controlPort}`),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    isRunning: () => child.exitCode === null && child.signalCode === null,
  }
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
