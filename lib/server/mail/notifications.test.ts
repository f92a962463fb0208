import { randomUUID } from 'node:crypto'
import { eq, isNull, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PUT as putChoice } from '@/app/api/desk/notifications/route'
import { databaseTime } from '@/lib/database/clock'
import { type NotificationKind, notificationKinds } from '@/lib/domain/notifications'
import { findMemberSession } from '../auth/member-session'
import { finishBulks } from '../bulk-cancellations/change-bulk'
import { changeState } from '../cancellations/change-state'
import { openLedger } from '../cancellations/open-ledger'
import { startExport } from '../exports/commands'
import { runExport } from '../exports/worker'
import { bulks } from '../store/bulk-schema'
import { inboxes } from '../store/inbox-schema'
import { mails, notices, notificationChoices } from '../store/mail-schema'
import { cancellations, connections, defaultConnectionId, memberships } from '../store/schema'
import { AuthClient, testOrigin } from '../testing/auth-fixture'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { MailFixture } from '../testing/mail-fixture'
import { receiveMessage } from '../webhooks/receive-message'
import { findInbox, keepSigningSecret, openInbox } from '../webhooks/inbox'
import { chooseNotification, listNotifications } from './choices'
import { handleNotices, noteForMail } from './notices'
import { giveUpOldMails } from './outbox'

let service: FaultService
let hasMore = false
// Before the fixture's, for the settings are read once.
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  service = await startFaultService(() => ({ body: JSON.stringify({ results: [], hasMore }) }))
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
  await desk.db.insert(connections).values({ connectionId: 'm-other', name: 'Another' })
  // For triggers that make the store fail.
  await desk.db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await desk.db.insert(memberships).values({ connectionId: 'm-other', userId: anna, role: 'viewer' })
})
beforeEach(async () => {
  await desk.db.delete(notices)
  await desk.db.delete(notificationChoices)
})

const choose = (userId: string, kind: NotificationKind, hour = 8, now = Date.now()) =>
  chooseNotification(desk.db, { userId }, { connectionId, kind, isWanted: true, hour }, now)

/** What is mailed of what happened so far, as recipient and subject. */
async function readNews(): Promise<string[]> {
  await desk.db.update(notices).set({ createdAt: databaseTime(-60 * 60_000) })
  await handleNotices(desk.db)
  return (await fixture.send()).map(({ to, read }) => `${to.join()}: ${read.subject}`)
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function deliver(eventType: string, id: string): Promise<void> {
  const inbox = await findInbox(desk.db, connectionId)
  if (!inbox) throw new Error('there is no inbox')
  const body = JSON.stringify({ objectType: 'Payment', eventType, timeStamp: '2026-11-20T12:00:00Z', data: { id } })
  // Each of the same payment is the same delivery.
  const at = new Date()
  const headers: Record<string, string> =
    inbox.signingSecret === null
      ? {}
      : {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(inbox.signingSecret).sign(id, at, body),
        }
  await receiveMessage(desk.db, inbox, new Request(`${testOrigin}/hooks/x`, { method: 'POST', body, headers }))
}

describe('a notification', () => {
  it('goes to who chose it at that merchant, once per event', async () => {
    await choose(anna, 'needs-person')
    await choose(bo, 'bulk-done')
    const subject = randomUUID()
    const notice = { key: 'needs-person 1', connectionId, kind: 'needs-person', subject } as const
    await noteForMail(desk.db, notice)
    await noteForMail(desk.db, notice)
    expect(await readNews()).toEqual(['anna@example.com: A cancellation needs a person: Test merchant'])
    await noteForMail(desk.db, notice)
    expect(await readNews()).toHaveLength(1)
    const [mail] = fixture.server.received
    expect(mail?.read.text).toContain(`${testOrigin}/payments/${subject}?merchant=default`)
  })

  it('of many events of a kind is one mail with their number, whichever desk makes it', async () => {
    await choose(anna, 'chargeback')
    for (let count = 0; count < 25; count += 1)
      await noteForMail(desk.db, { key: `c ${count}`, connectionId, kind: 'chargeback', subject: randomUUID() })
    await desk.db.update(notices).set({ createdAt: databaseTime(-60 * 60_000) })
    await Promise.all([handleNotices(desk.db), handleNotices(desk.db)])
    expect(await readNews()).toEqual(['anna@example.com: 25 payments were charged back: Test merchant'])
    expect(fixture.server.received[0]?.read.text?.match(/^Payment /gmu)).toHaveLength(10)
  })

  it.each(['needs-person', 'rejected', 'chargeback', 'bulk-done', 'export-ready'] as const)(
    'waits a little for more of its kind: %s',
    async (kind) => {
      await choose(anna, kind)
      await noteForMail(desk.db, { key: `${kind} 1`, connectionId, kind, subject: randomUUID() })
      await handleNotices(desk.db)
      await noteForMail(desk.db, { key: `${kind} 2`, connectionId, kind, subject: randomUUID() })
      await handleNotices(desk.db)
      expect(await desk.db.$count(mails)).toBe(0)
      expect(await readNews()).toHaveLength(1)
    },
  )

  it('is made at once of what a clock noted that was ahead, and not at all of what waited for days when the desk starts', async () => {
    await choose(anna, 'rejected')
    const note = async (key: string, age: number) => {
      await noteForMail(desk.db, { key, connectionId, kind: 'rejected', subject: key })
      await desk.db
        .update(notices)
        .set({ createdAt: databaseTime(-age) })
        .where(eq(notices.key, key))
    }
    await note('ahead', -30 * 86_400_000)
    await handleNotices(desk.db)
    expect(await desk.db.$count(mails)).toBe(1)
    await note('old', 49 * 60 * 60_000)
    await giveUpOldMails(desk.db)
    await handleNotices(desk.db)
    expect(await desk.db.$count(mails)).toBe(1)
    expect(await desk.db.$count(notices, isNull(notices.handledAt))).toBe(0)
  })

  it('is for whoever may read what it is about when it is sent, and can’t be chosen by others', async () => {
    const auditor = await desk.addUser(`${randomUUID()}@example.com`, 'viewer')
    const kinds = ['needs-person', 'rejected', 'chargeback', 'bulk-done'] as const
    for (const kind of kinds) await choose(auditor, kind)
    await choose(auditor, 'export-ready')
    await desk.db.update(memberships).set({ role: 'auditor' }).where(eq(memberships.userId, auditor))
    for (const kind of kinds)
      await noteForMail(desk.db, { key: `a ${kind}`, connectionId, kind, subject: randomUUID() })
    await noteForMail(desk.db, {
      key: 'a',
      connectionId,
      kind: 'export-ready',
      subject: randomUUID(),
      userId: auditor,
    })
    expect((await readNews()).map((line) => line.split(': ')[1])).toEqual(['Your export is ready'])
    for (const kind of [...kinds, 'closing-today'] as const)
      await expect(choose(auditor, kind)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await listNotifications(desk.db, { userId: auditor })).toMatchObject([{ offered: ['export-ready'] }])
  })

  it('of an export is for its author alone', async () => {
    await choose(anna, 'export-ready')
    await choose(bo, 'export-ready')
    await noteForMail(desk.db, { key: 'e', connectionId, kind: 'export-ready', subject: randomUUID(), userId: bo })
    expect(await readNews()).toEqual(['bo@example.com: Your export is ready: Test merchant'])
  })

  it('is made of a delivery that says a payment was rejected or charged back, and of no other', async () => {
    await choose(anna, 'rejected')
    await choose(anna, 'chargeback')
    await openInbox(desk.db, connectionId)
    const id = randomUUID()
    await deliver('rejected', id)
    await deliver('Rejected', id)
    await deliver('chargeback', randomUUID())
    await deliver('settled', randomUUID())
    await deliver('rejected', 'not\r\nan id')
    await deliver('rejected', 'Call us on 70 10 20 30')
    await deliver('rejected', 'x'.repeat(65))
    expect((await readNews()).toSorted()).toEqual([
      'anna@example.com: A payment was charged back: Test merchant',
      'anna@example.com: A payment was rejected: Test merchant',
    ])
  })

  it.each(['4711', 'aBcDaQ0z', 'pay_01HX-9'])('is made for the id %s, which is no UUID', async (id) => {
    await choose(anna, 'rejected')
    await openInbox(desk.db, connectionId)
    await deliver('rejected', id)
    expect(await readNews()).toHaveLength(1)
  })

  it('is made with the delivery, also where what follows fails and it is delivered again', async () => {
    await choose(anna, 'rejected')
    await openInbox(desk.db, connectionId)
    await keepSigningSecret(desk.db, connectionId, secret)
    await desk.db.execute(
      sql`create trigger refuse before delete on inbox_messages for each statement execute function refuse()`,
    )
    const id = randomUUID()
    await expect(deliver('rejected', id)).rejects.toThrow('delete from')
    await desk.db.execute(sql`drop trigger refuse on inbox_messages`)
    await deliver('rejected', id)
    expect(await readNews()).toEqual(['anna@example.com: A payment was rejected: Test merchant'])
    await desk.db.update(inboxes).set({ signingSecret: null })
  })
})

describe('what happens', () => {
  const author = { userEmail: 'anna@example.com', reason: 'twice', clientKey: randomUUID() }

  it('to a cancellation nobody can tell the outcome of, is noted once', async () => {
    await choose(bo, 'needs-person')
    const ledger = await openLedger(connectionId)
    const values = { id: randomUUID(), connectionId, paymentId: randomUUID(), userId: anna, ...author }
    const [row] = await desk.db
      .insert(cancellations)
      .values({ ...values, state: 'unknown' })
      .returning()
    if (!row) throw new Error('not stored')
    await Promise.all([changeState(ledger, row, 'needs-person', {}), changeState(ledger, row, 'needs-person', {})])
    expect(await readNews()).toEqual(['bo@example.com: A cancellation needs a person: Test merchant'])
  })

  it('when a bulk has ended, and when an export is ready or is given up', async () => {
    await choose(bo, 'bulk-done')
    await choose(anna, 'export-ready')
    const ledger = await openLedger(connectionId)
    const bulk = {
      id: randomUUID(),
      connectionId,
      userId: anna,
      userEmail: author.userEmail,
      state: 'running',
    } as const
    await desk.db.insert(bulks).values({ ...bulk, source: { kind: 'list', name: 'a' }, count: 1 })
    await finishBulks(ledger)
    const session = await findMemberSession(desk.db, { connectionId, userId: anna })
    if (!session) throw new Error('not a member')
    const query = { list: 'listPayments', asked: null, rest: null, order: null, filters: {}, zone: 'UTC' } as const
    await runExport(desk.db, session, await startExport(desk.db, session, { ...query, columns: ['id'] }))
    hasMore = true
    await runExport(desk.db, session, await startExport(desk.db, session, { ...query, columns: ['id'] }))
    expect((await readNews()).toSorted()).toEqual([
      'anna@example.com: Your export has stopped: Test merchant',
      'anna@example.com: Your export is ready: Test merchant',
      'bo@example.com: A bulk cancellation is done: Test merchant',
    ])
    const bulkMail = fixture.server.received.find(({ to }) => to.includes('bo@example.com'))
    expect(bulkMail?.read.text).toContain(`${testOrigin}/payments/bulk/${bulk.id}?merchant=default`)
  })
})

describe('the choice', () => {
  async function put(client: AuthClient, body: object) {
    const request = new Request(`${testOrigin}/api/desk/notifications`, {
      method: 'PUT',
      headers: {
        origin: testOrigin,
        'x-debitdesk': '1',
        'x-debitdesk-merchant': connectionId,
        'content-type': 'application/json',
        cookie: client.cookieHeader,
      },
      body: JSON.stringify(body),
    })
    const response = await putChoice(request, { params: Promise.resolve(undefined) })
    return { status: response.status, body: await response.json() }
  }

  it('is made per merchant, and only at one’s own', async () => {
    const client = await desk.signIn('anna@example.com')
    const wanted = { kind: 'closing-today', isWanted: true, hour: 6 }
    expect(await put(client, { ...wanted, connectionId: 'm-other' })).toEqual({
      status: 200,
      body: {
        connectionId: 'm-other',
        name: 'Another',
        kinds: ['closing-today'],
        offered: [...notificationKinds],
        hour: 6,
      },
    })
    expect(await listNotifications(desk.db, { userId: anna })).toMatchObject([
      { connectionId: 'm-other', kinds: ['closing-today'] },
      { connectionId, kinds: [] },
    ])
    await put(client, { ...wanted, connectionId: 'm-other', isWanted: false })
    expect(await desk.db.$count(notificationChoices)).toBe(0)
    const bos = await desk.signIn('bo@example.com')
    const foreign = await put(bos, { ...wanted, connectionId: 'm-other' })
    const absent = await put(bos, { ...wanted, connectionId: 'm-nobody' })
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect({ ...foreign.body, instance: null }).toEqual({ ...absent.body, instance: null })
    expect((await put(bos, { ...wanted, connectionId, hour: 24 })).status).toBe(400)
  })
})
