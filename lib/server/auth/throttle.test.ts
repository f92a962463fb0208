import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { attempts } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { forgiveAttempts, reserveAttempt } from './throttle'

const start = new Date('2026-11-20T10:00:00Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

let store: OpenDatabase

beforeAll(async () => {
  store = await openMemoryStore()
})
beforeEach(async () => {
  await store.db.delete(attempts)
})
afterAll(() => store.close())

async function guess(account: string, peer: string, now = start, device: string | null = null) {
  return reserveAttempt(store.db, { purpose: 'password', account, peer, device }, now)
}

it('allows ten guesses at an account in any 15 minutes, from however many peers', async () => {
  for (let minute = 0; minute < 10; minute += 1) {
    expect(await guess('ann', `peer ${minute}`, later(minute))).toMatchObject({ allowed: true })
  }
  expect(await guess('ann', 'another', later(10))).toEqual({ allowed: false, retryAfter: 300, lockedOut: 'account' })
  expect(await guess('ben', 'another', later(10))).toMatchObject({ allowed: true })
  expect(await guess('ann', 'another', later(15))).toMatchObject({ allowed: true })
  expect(await guess('ann', 'another', later(15))).toEqual({ allowed: false, retryAfter: 60, lockedOut: 'account' })
})

it('does not prolong the wait of who keeps trying', async () => {
  for (let count = 0; count < 10; count += 1) await guess('ann', 'peer')
  for (let count = 0; count < 50; count += 1)
    expect(await guess('ann', 'peer', later(14))).toMatchObject({ allowed: false })
  expect(await guess('ann', 'peer', later(15))).toMatchObject({ allowed: true })
})

it('allows a peer 100 wrong guesses in 15 minutes, at whatever accounts', async () => {
  for (let count = 0; count < 100; count += 1)
    expect(await guess(`account ${count}`, 'peer')).toMatchObject({ allowed: true })
  expect(await guess('account 101', 'peer')).toMatchObject({ allowed: false, lockedOut: 'peer' })
  expect(await guess('account 101', 'another peer')).toMatchObject({ allowed: true })
})

it('forgets an account’s guesses once its password came, and none of the peer’s others', async () => {
  for (let count = 0; count < 9; count += 1) await guess('ann', 'peer')
  const right = await guess('ann', 'peer')
  if (!right.allowed) throw new Error('refused')
  await forgiveAttempts(store.db, { account: 'ann' }, right.ids)
  expect(await guess('ann', 'peer')).toMatchObject({ allowed: true })
  expect(await store.db.select().from(attempts)).toHaveLength(9 + 2)
})

it('keeps neither what was typed nor where from, and nothing older than the window', async () => {
  await guess('a password typed into the wrong field', '192.0.2.7')
  expect(JSON.stringify(await store.db.select().from(attempts))).not.toMatch(/password|192/u)
  await guess('ben', 'peer', later(60))
  expect(await store.db.select().from(attempts)).toHaveLength(2)
})

it('counts a known browser’s guesses apart: strangers lock out strangers only (SE-12)', async () => {
  for (let count = 0; count < 200; count += 1) await guess('ann', 'peer')
  expect(await guess('ann', 'peer')).toMatchObject({ allowed: false })
  for (let count = 0; count < 10; count += 1)
    expect(await guess('ann', 'peer', start, 'hers')).toMatchObject({ allowed: true })
  expect(await guess('ann', 'peer', start, 'hers')).toMatchObject({ allowed: false })
  const right = await guess('ann', 'peer', start, 'another of hers')
  if (!right.allowed) throw new Error('refused')
  await forgiveAttempts(store.db, { account: 'ann', device: 'another of hers' }, right.ids)
  expect(await guess('ann', 'elsewhere')).toMatchObject({ allowed: false })
})

it('counts the addresses of one IPv6 network as one peer', async () => {
  for (let count = 0; count < 100; count += 1) await guess(`account ${count}`, `2001:db8::${count.toString(16)}`)
  expect(await guess('account 101', '2001:db8::ffff')).toMatchObject({ allowed: false })
  expect(await guess('account 101', '2001:db8:0:1::1')).toMatchObject({ allowed: true })
})
