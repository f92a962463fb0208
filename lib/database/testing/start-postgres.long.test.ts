import { createServer } from 'node:net'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from './start-postgres'
import { within } from './within'

let postgres: TestPostgres | undefined
afterEach(() => postgres?.stop())

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.end()
  return true
}

test('a Postgres that has ended already is stopped at once', async () => {
  const ended = await startPostgres()
  await ended.crash()
  await expect(within(10_000, 'a Postgres that had ended to be stopped', ended.stop())).resolves.toBeUndefined()
})

test('a start whose port was taken meanwhile says so, and leaves nothing that a stop would wait for', async () => {
  postgres = await startPostgres()
  await postgres.shutDown()
  const stranger = createServer()
  await new Promise<void>((resolve) => stranger.listen(Number(new URL(postgres?.url ?? '').port), '127.0.0.1', resolve))
  const told = await postgres.restart().then(() => 'started', String)
  expect(told).toMatch(/Postgres did not start: .*Address already in use/su)
  await new Promise((resolve) => stranger.close(resolve))
  await postgres.restart()
  expect(await answers(postgres.url)).toBe(true)
})
