import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { listenOnPostgres } from '@/lib/database/listen-postgres'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { within } from '@/lib/database/testing/within'
import { appendActivity } from '../activity-log/append'
import { until } from '../http/testing/test-server'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { announceChanges, changeChannel } from './announce-changes'
import { closeEventStreams } from './event-streams'
import { EventsFixture } from './testing/events-fixture'

let postgres: TestPostgres
let other: OpenDatabase
let fixture: EventsFixture

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  postgres = await startPostgres()
  const open = () => openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })
  const own = await open()
  other = await open()
  await own.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  fixture = await EventsFixture.start(own)
  await fixture.addPerson('ann', 'admin')
})
afterAll(async () => {
  await closeEventStreams()
  await fixture.close()
  await other.close()
  await postgres.stop()
})

const change = (id: string) => ({ connectionId: defaultConnectionId, kind: 'cancellation', id }) as const

test('what another desk on the same Postgres commits is told, and what it undoes is not', async () => {
  const { reader } = await fixture.open('ann')
  const entry = { connectionId: defaultConnectionId, objectKind: 'payment', details: {} }
  await other.db
    .transaction(async (tx) => {
      await announceChanges(tx, [change('undone')])
      throw new Error('undone')
    })
    .catch(() => undefined)
  await other.db.transaction((tx) =>
    appendActivity(tx, { ...entry, action: 'cancellation.accepted', objectId: 'done' }),
  )
  await until('the change to be told', () => reader.events.length > 0)
  expect(reader.events).toEqual([{ cancellation: ['done'], activity: ['done'] }])
})

test('a stream ends when the desk no longer hears of changes, and can be opened again once it does', async () => {
  const { reader } = await fixture.open('ann')
  // As in a restart of the server.
  await other.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' or query = 'select 1'`,
  )
  await until('the stream to end', () => reader.hasEnded)
  let page = await fixture.open('ann')
  await until('a stream to be opened again', async () => {
    if (page.status === 204) page = await fixture.open('ann')
    return page.status === 200
  })
  await announceChanges(other.db, [change('later')])
  await until('the change to be told', () => page.reader.events.length > 0)
  expect(page.reader.events).toEqual([{ cancellation: ['later'] }])
})

test('a database whose notifications never arrive, as behind PgBouncer in transaction mode, is not listened to', async () => {
  const states: boolean[] = []
  const told = new Promise<void>((resolve) => {
    const onState = (isListening: boolean) => {
      states.push(isListening)
      resolve()
    }
    const options = {
      url: postgres.url,
      channel: changeChannel,
      connectTimeout: 10_000,
      notify: async () => undefined,
    }
    const stop = listenOnPostgres(options, { onMessage: () => undefined, onState })
    afterAll(stop)
  })
  await within(30_000, 'the check to fail', told)
  expect(states).toEqual([false])
})
