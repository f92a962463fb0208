import { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { makeConnection } from './connection'
import { parseSettings } from '../runtime/settings'
import { callUpstream } from './call-upstream'

type Said = { text: string; count?: number; isZipped?: boolean }

/** A service in its own thread, so that its work isn't measured: "ok" at `/`, else one fixed reply. */
const program = `
const { createServer } = require('node:http')
const { createGzip } = require('node:zlib')
const { parentPort, workerData: { text, count = 1, isZipped } } = require('node:worker_threads')
const json = { 'content-type': 'application/json' }
createServer((request, response) => {
  if (request.url === '/') return response.writeHead(200, json).end('"ok"')
  response.writeHead(200, isZipped ? { ...json, 'content-encoding': 'gzip' } : json)
  const body = isZipped ? createGzip() : response
  if (isZipped) body.pipe(response)
  body.on('error', () => {})
  response.on('close', () => body.destroy())
  const chunk = Buffer.from(text)
  let left = count
  const send = () => {
    while (left > 0) {
      left -= 1
      if (body.destroyed || !body.write(chunk)) return body.once('drain', send)
    }
    body.end()
  }
  send()
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })`

let worker: Worker | undefined
afterEach(async () => {
  await worker?.terminate()
  globalThis.debitdeskUpstreamStates = undefined
})

const readings = 7

/** Reads one reply repeatedly while reading others; returns the number of those. */
async function readBeside(said: Said): Promise<number> {
  const running = new Worker(program, { eval: true, workerData: said })
  worker = running
  const port = await new Promise<number>((resolve) => running.once('message', resolve))
  const connection = makeConnection(parseSettings({ UPSTREAM_URL: `http://127.0.0.1:${port}`, UPSTREAM_AUTH: 'none' }))
  let others = 0
  const over = new AbortController()
  const reader = (async () => {
    while (!over.signal.aborted) {
      expect((await callUpstream(connection, endpoints.getStatus)).json).toBe('ok')
      others += 1
    }
  })()
  for (let reading = 0; reading < readings; reading += 1)
    await callUpstream(connection, endpoints.getMerchant, { deadline: 60_000 }).catch(() => undefined)
  over.abort()
  await reader
  return others
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')
const megabyte = ' '.repeat(1_048_576)

it.each<[string, Said]>([
  ['ten megabytes', { text: megabyte, count: 10 }],
  ['half a gigabyte behind gzip', { text: megabyte, count: 500, isZipped: true }],
  ['a list of seven million levels', { text: '['.repeat(7_000_000) }],
  ['nine megabytes of names', { text: `"${'k'.repeat(10)}":1,`.repeat(75_000), count: 9 }],
  ['a record of 500,000 names', { text: `{${names(500_000)}}` }],
  ['one text of five megabytes', { text: `{"a":"${'x'.repeat(5_000_000)}"}` }],
  ['a million numbers', { text: `[${Array.from({ length: 1_000_000 }, (_, index) => index).join(',')}]` }],
])('while %s is read, others are answered (UP-28)', async (_, said) => {
  expect(await readBeside(said)).toBeGreaterThanOrEqual(readings)
})
