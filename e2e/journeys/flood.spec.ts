import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '../support/journey'
import { sendRaw } from '../support/raw-http'

const MB = 1_048_576

/** Resident memory of the desk's own process in MB, which its store's lock names; only where there is /proc. */
async function readMemory(dataDir: string): Promise<number> {
  const pid = Number.parseInt(await readFile(`${dataDir}/desk/debitdesk.lock`, 'utf8'), 10)
  const kilobytes = /^VmRSS:\s+(\d+)/mu.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round((Number(kilobytes) * 1_024) / MB)
}

/** How long a socket of the flood stays, in milliseconds: it reads nothing, so it never learns that it was closed. */
const stay = 1_000

/** Has `count` sockets at a time send `bytes` and read nothing, from another address than the visitor's, until `end`. */
function flood(desk: string, bytes: string, count: number): { opened: () => number; end: () => void } {
  const { hostname, port } = new URL(desk)
  const sockets = new Set<Socket>()
  let opened = 0
  let isOver = false
  const open = () => {
    if (isOver) return
    opened += 1
    const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.2' }, () => socket.write(bytes))
    sockets.add(socket)
    socket.pause().on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      open()
    })
    setTimeout(() => socket.destroy(), stay)
  }
  for (let index = 0; index < count; index += 1) setTimeout(open, (stay * index) / count)
  return {
    opened: () => opened,
    end: () => {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The reply to a request from another address of this machine. */
function sendFrom(localAddress: string, desk: string): Promise<string> {
  const { hostname, port, host } = new URL(desk)
  return new Promise((resolve, reject) => {
    let received = ''
    connect({ port: Number(port), host: hostname, localAddress })
      .on('data', (chunk) => (received += chunk.toString()))
      .on('error', reject)
      .on('close', () => resolve(received))
      .write(`GET /sign-in HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })
}

/** An ordinary visitor for so many milliseconds: how long each of their requests took, in ms, ascending. */
async function visit(desk: string, duration: number): Promise<number[]> {
  const until = Date.now() + duration
  const times: number[] = []
  while (Date.now() < until) {
    for (const path of ['/api/health', '/sign-in']) {
      const began = Date.now()
      expect((await sendRaw(desk, `GET ${path}`)).status, path).toBe(200)
      times.push(Date.now() - began)
    }
    await pause(100)
  }
  return times.toSorted((one, other) => one - other)
}

const p95 = (times: number[]) => times[Math.floor(times.length * 0.95)] ?? Number.NaN

test('a flood of pipelined requests, whose replies nobody reads, leaves the desk to its visitors', {
  tag: '@long',
}, async ({ desk }) => {
  test.skip(process.platform !== 'linux', 'memory is read from /proc')
  const { host } = new URL(desk.url)
  const seconds = Number(process.env.FLOOD_SECONDS ?? 20)
  const report = async (when: string, times: number[], opened = 0) =>
    console.log(
      `${when}: ${times.length} requests, p95 ${p95(times)} ms, longest ${times.at(-1)} ms,`,
      `${await readMemory(desk.dataDir)} MB${opened > 0 ? `, ${opened} sockets` : ''}`,
    )
  await report('before', await visit(desk.url, 3_000))
  const before = await readMemory(desk.dataDir)
  for (const [path, requests, sockets] of [
    ['/sign-in', 4_000, 1],
    ['/sign-in', 4_000, 5],
    ['/sign-in', 8, 5],
  ] as const) {
    const attack = flood(desk.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(requests), sockets)
    await report(`${sockets} × ${requests}`, await visit(desk.url, seconds * 1_000), attack.opened())
    attack.end()
  }
  await pause(10_000)
  // Not even whoever flooded it is kept out once they have stopped.
  expect(await sendFrom('127.0.0.2', desk.url)).toMatch(/^HTTP\/1\.1 200/u)
  await report('after', await visit(desk.url, 3_000))
  // A quarter of a gigabyte is what the collector may leave for later.
  expect((await readMemory(desk.dataDir)) - before).toBeLessThan(256)
})
