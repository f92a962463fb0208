import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createProbe } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, items, until } from '../testing/test-service'

const token = 'a-token-for-the-process'
let folder: string
let receiver: Server
let child: ChildProcess | undefined
/** Ids of the payments that were told to be settled. */
const told = new Set<string>()
const eventIds: string[] = []

function portOf(server: { address: () => unknown }): number {
  return Number(at(server.address(), 'port'))
}

async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

async function start(): Promise<{ url: string; control: string }> {
  const [port, controlPort] = [await freePort(), await freePort()]
  const started = spawn(process.execPath, ['--import', 'tsx', 'service/serve.ts'], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      DATA_DIR: folder,
      SEED_PAYMENTS: '150',
      SERVICE_TOKEN: token,
      SERVICE_PORT: String(port),
      SERVICE_CONTROL_PORT: String(controlPort),
      SERVICE_CALLBACKS: `127.0.0.1:${portOf(receiver)}`,
    },
  })
  child = started
  let output = ''
  started.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(async () => (output.includes('service ready') ? true : undefined))
  return { url: `http://127.0.0.1:${port}`, control: `http://127.0.0.1:${controlPort}` }
}

async function kill(): Promise<void> {
  if (!child || child.exitCode !== null || !child.kill('SIGKILL')) return
  await once(child, 'exit')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-'))
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      // An answer that takes a moment, so that deliveries are under way when the process dies.
      setTimeout(() => {
        told.add(String(at(JSON.parse(body), 'data', 'id')))
        eventIds.push(String(request.headers['webhook-id']))
        response.writeHead(204).end()
      }, 30)
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterAll(async () => {
  await kill()
  receiver.closeAllConnections()
  receiver.close()
  await rm(folder, { recursive: true, force: true })
})

test('a service that is killed while it delivers loses no event', { timeout: 180_000 }, async () => {
  const { url, control } = await start()
  const json = { 'content-type': 'application/json' }
  const headers = { ...json, authorization: `Basic ${btoa(`${token}:`)}` }
  const webhookUrl = `http://127.0.0.1:${portOf(receiver)}/hooks`
  await fetch(`${url}/Merchants/webhooks/subscribe`, { method: 'POST', headers, body: JSON.stringify({ webhookUrl }) })
  const list: unknown = await (await fetch(`${url}/Payments?limit=100&filter=status eq 'Pending'`, { headers })).json()
  const ids = items(list).map((row) => String(at(row, 'id')))
  const settle = (id: string) =>
    fetch(`${control}/payments/${id}/state`, { method: 'POST', headers: json, body: '{"status":"Settled"}' })
  const acknowledged: string[] = []
  for (const id of ids) if ((await settle(id)).status === 204) acknowledged.push(id)
  await until(async () => (told.size >= 5 ? true : undefined))
  await kill()
  expect(acknowledged.length).toBeGreaterThan(20)
  const again = await start()
  // What was under way comes back when its worker's claim has passed.
  await fetch(`${again.control}/clock`, { method: 'POST', headers: json, body: '{"advance":120000}' })
  await until(async () => (acknowledged.every((id) => told.has(id)) ? true : undefined), 100_000)
  expect(new Set(eventIds).size).toBe(acknowledged.length)
})
