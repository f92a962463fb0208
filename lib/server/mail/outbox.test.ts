import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { databaseTime } from '@/lib/database/clock'
import { sweepExpired } from '../store/retention'
import { mails } from '../store/mail-schema'
import { connections, defaultConnectionId, memberships, users } from '../store/schema'
import { MailFixture } from '../testing/mail-fixture'
import type { MailContent } from './mail-content'
import { sendDueMails } from './outbox'
import { queueMail } from './queue-mail'

const fixture = new MailFixture()
const content: MailContent = { kind: 'password-changed', at: '2026-11-20T12:00:00Z' }
const rejected: MailContent = { kind: 'rejected', count: 2, subjects: [randomUUID(), 'pay\r\nBcc: all@example.com'] }
let anna = ''
let bo = ''
const printed = vi.fn<(chunk: string) => undefined>()

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => printed(String(chunk)) ?? true)
  anna = await fixture.desk.addUser('anna@example.com', 'support')
  bo = await fixture.desk.addUser('bo@example.com', 'viewer')
})
beforeEach(() => printed.mockClear())

const queue = (userId: string, key: string = randomUUID(), what: MailContent = content) =>
  queueMail(fixture.desk.db, { key, userId, connectionId: defaultConnectionId, content: what })
const findMails = (userId = anna) => fixture.desk.db.select().from(mails).where(eq(mails.userId, userId))

describe('a mail', () => {
  it('is sent once, whichever of several desks comes first and however often its event is reported', async () => {
    await queue(anna, 'one event')
    await queue(anna, 'one event')
    const { db } = fixture.desk
    await Promise.all([sendDueMails(db), sendDueMails(db), sendDueMails(db)])
    await fixture.send({ later: true })
    expect(fixture.server.received.map(({ from, to }) => [from, to])).toEqual([
      ['desk@example.com', ['anna@example.com']],
    ])
    expect(await findMails()).toMatchObject([{ state: 'sent', tries: 1, problem: null, link: null }])
  })

  it('has a text and an HTML part that say the same, and leads only to the desk', async () => {
    await queue(anna, 'a', rejected)
    const [mail] = await fixture.send()
    expect(mail?.read).toMatchObject({
      subject: '2 payments were rejected: Test merchant',
      from: { name: 'Debitdesk', address: 'desk@example.com' },
      text: expect.stringContaining('2 payments were rejected, so they weren’t collected.'),
      html: expect.stringContaining('2 payments were rejected, so they weren’t collected.'),
    })
    const addresses = [...(mail?.read.text ?? '').matchAll(/\bhttps?:\S+/gu)].map(([address]) => address)
    expect(addresses.length).toBeGreaterThan(3)
    expect(addresses.filter((address) => new URL(address).origin !== 'http://127.0.0.1:3000')).toEqual([])
    expect(addresses).toContain('http://127.0.0.1:3000/account#notifications')
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
  })

  it('is in the language of the account, else English', async () => {
    await fixture.desk.db.update(users).set({ language: 'da' }).where(eq(users.id, bo))
    await queue(anna)
    await queue(bo)
    const subjects = (await fixture.send()).map(({ read }) => read.subject)
    expect(subjects).toEqual(['Your Debitdesk password was changed', 'Din adgangskode til Debitdesk er skiftet'])
    expect(fixture.server.received[1]?.read.html).toContain('<html lang="da">')
    await fixture.desk.db.update(users).set({ language: null }).where(eq(users.id, bo))
  })

  it('has only the headers of ours, whatever a merchant is called or a payment’s id is', async () => {
    const name = 'Ærø\r\nBcc: all@example.com\r\n\r\n<b>hello</b>'
    const { db } = fixture.desk
    await db.update(connections).set({ name }).where(eq(connections.connectionId, defaultConnectionId))
    await queue(anna, 'a', rejected)
    const [mail] = await fixture.send()
    expect(mail?.to).toEqual(['anna@example.com'])
    expect(mail?.read.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail?.read.subject).toContain('Ærø Bcc: all@example.com')
    expect(mail?.read.html).not.toContain('<b>')
    await db.update(connections).set({ name: 'Test merchant' }).where(eq(connections.connectionId, defaultConnectionId))
  })

  it('is tried again, later each time, under one id, until it is given up with the reason', async () => {
    fixture.server.refusals.set('anna@example.com', 451)
    await queue(anna)
    const pauses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      await fixture.send({ later: true })
      const [mail] = await findMails()
      if (mail?.state === 'waiting') pauses.push(Math.round((mail.dueAt.getTime() - Date.now()) / 60_000))
    }
    expect(pauses).toEqual([1, 3, 9, 27, 81, 243, 360, 360])
    expect(await findMails()).toMatchObject([{ state: 'given-up', tries: 9, problem: 'EENVELOPE 451' }])
    expect(printed.mock.calls.join('')).toContain('mail-given-up')
  })

  it('of a refused recipient is given up at once and keeps up nobody else', async () => {
    fixture.server.refusals.set('anna@example.com', 550)
    await queue(anna)
    await queue(bo)
    expect((await fixture.send()).map(({ to }) => to)).toEqual([['bo@example.com']])
    expect(await findMails()).toMatchObject([{ state: 'given-up', tries: 1, problem: 'EENVELOPE 550' }])
  })

  it('is left to the desk that sends it, and taken over when that is gone', async () => {
    await queue(anna)
    const { db } = fixture.desk
    await db.update(mails).set({ holder: randomUUID(), leaseUntil: databaseTime(60_000) })
    expect(await fixture.send()).toEqual([])
    await db.update(mails).set({ leaseUntil: databaseTime(-1) })
    expect(await fixture.send()).toHaveLength(1)
  })

  it('that a clock which was ahead put off is sent once that is corrected', async () => {
    await queue(anna)
    await fixture.desk.db.update(mails).set({ dueAt: databaseTime(30 * 86_400_000) })
    expect(await fixture.send()).toHaveLength(1)
  })

  it('that waited for days, as where mail was off, is not sent any more', async () => {
    await queue(anna)
    await fixture.desk.db.update(mails).set({ createdAt: databaseTime(-49 * 60 * 60_000) })
    expect(await fixture.send()).toEqual([])
    expect(await findMails()).toMatchObject([{ state: 'given-up', problem: 'too-late' }])
  })

  it('about a merchant is not sent to who has left, and none to a disabled account', async () => {
    const { db } = fixture.desk
    const left = await fixture.desk.addUser('left@example.com', 'viewer')
    const gone = await fixture.desk.addUser('gone@example.com', 'viewer')
    await db.delete(memberships).where(eq(memberships.userId, left))
    await db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, gone))
    await queue(left, 'a', rejected)
    await queue(gone, 'b')
    expect(await fixture.send()).toEqual([])
    expect([...(await findMails(left)), ...(await findMails(gone))]).toMatchObject([
      { state: 'given-up', problem: 'recipient-left' },
      { state: 'given-up', problem: 'recipient-left' },
    ])
  })

  it('is forgotten after a month', async () => {
    const { db } = fixture.desk
    await queue(anna, 'old')
    await queue(anna, 'new')
    await fixture.send()
    await db
      .update(mails)
      .set({ endedAt: databaseTime(-31 * 86_400_000) })
      .where(eq(mails.key, 'old'))
    // By the hourly sweep, which runs without a mail server, too.
    await sweepExpired(db, { bulks: 90, imports: 90, exports: 1 })
    expect((await findMails()).map(({ key }) => key)).toEqual(['new'])
  })
})
