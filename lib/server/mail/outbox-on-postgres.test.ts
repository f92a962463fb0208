import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseTime } from '@/lib/database/clock'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { mails, notices, notificationChoices } from '../store/mail-schema'
import { connections, defaultConnectionId, memberships, users } from '../store/schema'
import { storeMigrations } from '../store/store'
import { type MailServer, startMailServer } from '../testing/mail-server'
import { makeDatabase } from '../testing/store-fixture'
import { handleNotices, noteForMail } from './notices'
import { sendDueMails } from './outbox'
import { queueMail } from './queue-mail'

let postgres: TestPostgres
let server: MailServer
const desks: OpenDatabase[] = []
const userId = randomUUID()

beforeAll(async () => {
  server = await startMailServer()
  Object.assign(process.env, {
    SMTP_URL: server.url,
    MAIL_FROM: 'desk@example.com',
    NEXTAUTH_URL: 'http://127.0.0.1:3000',
    NEXTAUTH_SECRET: 'a secret for tests that is long enough',
  })
  postgres = await startPostgres()
  const url = await makeDatabase(postgres.url)
  for (let count = 0; count < 3; count += 1) desks.push(await openDatabase({ url, migrationsFolder: storeMigrations }))
  const { db } = first()
  await db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  await db.insert(users).values({ id: userId, email: 'anna@example.com' })
  await db.insert(memberships).values({ connectionId: defaultConnectionId, userId, role: 'viewer' })
})
afterAll(async () => {
  for (const desk of desks) await desk.close()
  await server.close()
  await postgres.stop()
})

function first(): OpenDatabase {
  const [desk] = desks
  if (!desk) throw new Error('no desk is open')
  return desk
}

const inAll = (work: (db: OpenDatabase['db']) => Promise<void>) => Promise.all(desks.map(({ db }) => work(db)))

it('three desks on one Postgres send each of many mails once', async () => {
  for (let count = 0; count < 40; count += 1) {
    const content = { kind: 'password-changed', at: '2026-11-20T12:00:00Z' } as const
    await inAll((db) => queueMail(db, { key: `event ${count}`, userId, content }))
  }
  await inAll(sendDueMails)
  expect(server.received).toHaveLength(40)
  expect(new Set(server.received.map(({ read }) => read.messageId)).size).toBe(40)
})

it('they make one mail of what all of them noted', async () => {
  const { db } = first()
  await db.delete(mails)
  await db
    .insert(notificationChoices)
    .values({ connectionId: defaultConnectionId, userId, kind: 'bulk-done', hour: null, nextAt: null })
  const notice = { key: 'bulk-done 1', connectionId: defaultConnectionId, kind: 'bulk-done', subject: '1' } as const
  await inAll((one) => noteForMail(one, notice))
  await db.update(notices).set({ createdAt: databaseTime(-60_000) })
  await inAll(handleNotices)
  expect(await db.$count(mails)).toBe(1)
})
