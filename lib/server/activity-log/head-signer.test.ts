import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { within } from '@/lib/database/testing/within'
import { openMemoryStore } from '../testing/store-fixture'
import { appendActivity } from './append'
import { getHeadsPath, readHeads } from './signed-head'
import { HeadSigner, stopHeads } from './head-signer'
import { verifyChain } from './hash-chain'

const waiting = 30
const entry = { connectionId: 'default', action: 'x.done', objectKind: 'payment', objectId: '1', details: {} }

it('ends within some seconds, however many heads wait and however slow their receiver is', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  let received = 0
  const receiver = createServer((_, response) => {
    received += 1
    setTimeout(() => response.writeHead(204).end(), 500)
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const bound = receiver.address()
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-heads-'))
  const { db, close } = await openMemoryStore()
  const signer = await HeadSigner.open({
    db,
    secret: 'the key that no store ever holds: 4711',
    file: getHeadsPath(folder),
    address: `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}/heads`,
    every: 60_000,
  })
  for (let count = 0; count < waiting; count += 1) {
    await db.transaction((tx) => appendActivity(tx, entry))
    await signer.signIfDue(new Date(), true)
  }
  const ending = new AbortController()
  const running = signer.send(new Date(), ending.signal)
  globalThis.debitdeskHeads = { signer, task: { stop: () => running }, abort: ending }
  await within(60_000, 'the heads to stop', stopHeads())
  expect(received).toBeGreaterThan(0)
  expect(received).toBeLessThan(waiting)
  receiver.closeAllConnections()
  receiver.close()
  await close()
  rmSync(folder, { recursive: true, force: true })
})

it('goes on from the last line of a file whose other lines were put away, and these still hold', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-heads-'))
  const file = getHeadsPath(folder)
  const { db, close } = await openMemoryStore()
  const sign = async () => {
    await db.transaction((tx) => appendActivity(tx, entry))
    const secret = 'the key that no store ever holds: 4711'
    await (await HeadSigner.open({ db, secret, file, every: 60_000 })).signIfDue(new Date(), true)
    return (await readHeads(file))?.heads ?? []
  }
  await sign()
  const putAway = await sign()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  writeFileSync(file, `${lines.at(-1)}\n`)
  const kept = await sign()
  expect([putAway, kept].map((heads) => heads.map(({ sequence }) => sequence))).toEqual([
    [1, 2],
    [2, 3],
  ])
  expect(await verifyChain(db, [...putAway, ...kept])).toMatchObject({ holds: true, count: 3 })
  await close()
  rmSync(folder, { recursive: true, force: true })
})

it('writes later what the file could not take, each head once', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-heads-'))
  const missing = join(folder, 'later')
  const { db, close } = await openMemoryStore()
  const secret = 'the key that no store ever holds: 4711'
  const signer = await HeadSigner.open({ db, secret, file: getHeadsPath(missing), every: 60_000 })
  const sign = async () => {
    await db.transaction((tx) => appendActivity(tx, entry))
    await signer.signIfDue(new Date(), true)
  }
  await expect(sign()).rejects.toThrow('ENOENT')
  await expect(sign()).rejects.toThrow('ENOENT')
  mkdirSync(missing)
  await signer.signIfDue(new Date())
  await signer.signIfDue(new Date(), true)
  const { heads = [] } = (await readHeads(getHeadsPath(missing))) ?? {}
  expect(heads.map(({ sequence }) => sequence)).toEqual([1, 2])
  await close()
  rmSync(folder, { recursive: true, force: true })
})

it('goes on after a clock that was ahead is corrected', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const folder = mkdtempSync(join(tmpdir(), 'debitdesk-heads-'))
  const { db, close } = await openMemoryStore()
  const secret = 'the key that no store ever holds: 4711'
  // Nobody listens there.
  const address = 'http://127.0.0.1:9/heads'
  const signer = await HeadSigner.open({ db, secret, file: getHeadsPath(folder), address, every: 60_000 })
  const now = Date.now()
  const read = async () => (await readHeads(getHeadsPath(folder)))?.heads.map(({ sequence }) => sequence)
  for (const at of [now + 365 * 86_400_000, now, now + 1_000]) {
    await db.transaction((tx) => appendActivity(tx, entry))
    await signer.signIfDue(new Date(at))
  }
  expect(await read()).toEqual([1, 2])
  const fetched = vi.spyOn(globalThis, 'fetch')
  await signer.send(new Date(now + 365 * 86_400_000))
  await signer.send(new Date(now))
  await signer.send(new Date(now + 1_000))
  expect(fetched).toHaveBeenCalledTimes(2)
  await close()
  rmSync(folder, { recursive: true, force: true })
})
