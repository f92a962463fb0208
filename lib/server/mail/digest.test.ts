import { randomUUID } from 'node:crypto'
import { lte, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findClosing } from '@/lib/domain/cancellations/closing-filter'
import { parseCutOffRules } from '@/lib/domain/cancellations/cut-off'
import { capabilitiesFor } from '@/lib/domain/lists/capabilities'
import type { NotificationKind } from '@/lib/domain/notifications'
import { mails, notificationChoices } from '../store/mail-schema'
import { capabilities, defaultConnectionId } from '../store/schema'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { MailFixture } from '../testing/mail-fixture'
import { writeProofRows } from '../upstream/capability-store'
import { getConnection } from '../upstream/connection'
import { testOrigin } from '../testing/auth-fixture'
import { chooseNotification } from './choices'
import { sendDueDigests } from './digest'
import { queueMail } from './queue-mail'
import { startMail, stopMail } from './worker'

let service: FaultService
let payments: object[] = []
/** A page before them, if not empty. */
let earlier: unknown[] = []
/** The service answers after it. */
let slowness = Promise.resolve()
// Before the fixture's, for the settings are read once.
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(async ({ path }) => {
    await slowness
    const isFirst = earlier.length > 0 && !path.includes('after=')
    const page = isFirst
      ? { results: earlier, hasMore: true, nextOffset: 'next' }
      : { results: payments, hasMore: false }
    return { body: JSON.stringify(page) }
  })
  Object.assign(process.env, { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: 'a-token-for-tests' })
  return () => service.close()
})
const fixture = new MailFixture()
const { desk } = fixture
const connectionId = defaultConnectionId
let anna = ''
let bo = ''

beforeAll(async () => {
  anna = await desk.addUser('anna@example.com', 'support')
  bo = await desk.addUser('bo@example.com', 'viewer')
  // For triggers that make the store fail.
  await desk.db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
})
beforeEach(() => desk.db.delete(notificationChoices))

const choose = (userId: string, kind: NotificationKind, hour = 8, now = Date.now()) =>
  chooseNotification(desk.db, { userId }, { connectionId, kind, isWanted: true, hour }, now)

describe('the digest', () => {
  const evening = Date.parse('2026-11-26T18:00:00Z')
  const due = Date.parse('2026-11-27T07:00:10Z')
  const scheduled = (day: string) => ({
    id: randomUUID(),
    status: 'Pending',
    scheduleDate: `${day}T00:00:00Z`,
    currency: 'DKK',
    amount: 100,
  })

  /** As the service was found to filter. */
  async function proveFilters(): Promise<void> {
    const rules = parseCutOffRules('*=1@16:00') ?? []
    const closing = findClosing(due, ['pending'], { rules, zone: 'Europe/Copenhagen' })
    const needed = closing ? capabilitiesFor(closing.filter) : []
    const proofs = Object.fromEntries(needed.map((one) => [one, true]))
    await writeProofRows(desk.db, getConnection(connectionId), 'listPayments', proofs)
  }

  it('comes at its hour of the business zone, once for all desks, and again the next day', async () => {
    await choose(anna, 'closing-today', 8, evening)
    const [before] = await desk.db.select().from(notificationChoices)
    expect(before?.nextAt?.toISOString()).toBe('2026-11-27T07:00:00.000Z')
    await sendDueDigests(desk.db, evening)
    expect(await desk.db.$count(mails)).toBe(0)
    payments = [scheduled('2026-11-30'), scheduled('2026-11-30'), scheduled('2027-01-04')]
    await proveFilters()
    await Promise.all([sendDueDigests(desk.db, due), sendDueDigests(desk.db, due)])
    const [mail, ...others] = await fixture.send()
    expect(others).toEqual([])
    expect(mail?.to).toEqual(['anna@example.com'])
    expect(mail?.read.subject).toBe('2 payments close today: Test merchant')
    expect(mail?.read.text).toContain(`${testOrigin}/payments/closing?merchant=default`)
    const [after] = await desk.db.select().from(notificationChoices)
    expect(after?.nextAt?.toISOString()).toBe('2026-11-28T07:00:00.000Z')
  })

  it('says so where nobody can tell how many, and doesn’t come where there are none', async () => {
    await desk.db.delete(capabilities)
    await choose(anna, 'closing-today', 8, evening)
    await sendDueDigests(desk.db, due + 120_000)
    expect((await fixture.send()).map(({ read }) => read.subject)).toEqual(['Payments may close today: Test merchant'])
    await proveFilters()
    payments = []
    await choose(bo, 'closing-today', 8, evening)
    await sendDueDigests(desk.db, due + 240_000)
    expect(await fixture.send()).toHaveLength(1)
  })

  it('says “at least” where an entry of an earlier page could not be read', async () => {
    await proveFilters()
    earlier = ['no payment', scheduled('2026-11-30')]
    payments = [scheduled('2026-11-30')]
    await choose(anna, 'closing-today', 8, evening)
    await sendDueDigests(desk.db, due + 600_000)
    earlier = []
    const [mail] = await fixture.send()
    expect(mail?.read.subject).toBe('2 payments close today: Test merchant')
    expect(mail?.read.text).toContain('At least')
  })

  it('counts each payment that has no id', async () => {
    await proveFilters()
    payments = [scheduled('2026-11-30'), ...Array.from({ length: 2 }, () => ({ ...scheduled('2026-11-30'), id: null }))]
    await choose(anna, 'closing-today', 8, evening)
    await sendDueDigests(desk.db, due + 900_000)
    expect((await fixture.send()).map(({ read }) => read.subject)).toEqual(['3 payments close today: Test merchant'])
  })

  it('comes a little later where the store failed', async () => {
    await desk.db.delete(capabilities)
    await choose(anna, 'closing-today', 8, evening)
    await desk.db.execute(
      sql`create trigger refuse before insert on mails for each statement execute function refuse()`,
    )
    await sendDueDigests(desk.db, due + 360_000)
    await desk.db.execute(sql`drop trigger refuse on mails`)
    await sendDueDigests(desk.db, due + 365_000)
    expect(await fixture.send()).toHaveLength(1)
  })

  it('comes at its next hour after a clock that was ahead is corrected', async () => {
    await choose(anna, 'closing-today', 8, evening)
    await desk.db.update(notificationChoices).set({ nextAt: new Date(evening + 365 * 86_400_000) })
    await sendDueDigests(desk.db, evening)
    const [after] = await desk.db.select().from(notificationChoices)
    expect(after?.nextAt?.toISOString()).toBe('2026-11-27T07:00:00.000Z')
    expect(await desk.db.$count(mails)).toBe(0)
  })

  it('keeps up no other mail while a provider is slow, and is left alone by a desk that stops', async () => {
    await proveFilters()
    payments = [scheduled('2026-11-30')]
    await choose(anna, 'closing-today')
    await desk.db.update(notificationChoices).set({ nextAt: new Date(Date.now() - 1_000) })
    globalThis.debitdeskStopping = true
    await sendDueDigests(desk.db)
    globalThis.debitdeskStopping = undefined
    expect(await desk.db.$count(notificationChoices, lte(notificationChoices.nextAt, new Date()))).toBe(1)
    let answer: () => void = () => undefined
    slowness = new Promise((resolve) => (answer = resolve))
    const content = { kind: 'password-changed', at: '2026-11-20T12:00:00Z' } as const
    await queueMail(desk.db, { key: 'urgent', userId: anna, content })
    startMail()
    await vi.waitFor(() => expect(fixture.server.received).toHaveLength(1), { timeout: 10_000 })
    answer()
    await stopMail()
    globalThis.debitdeskMail = undefined
  })

  it('isn’t made up for after days without the desk', async () => {
    await choose(anna, 'closing-today', 8, evening)
    await sendDueDigests(desk.db, due + 3 * 86_400_000)
    expect(await desk.db.$count(mails)).toBe(0)
  })
})
