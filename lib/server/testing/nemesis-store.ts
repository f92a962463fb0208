import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PostgresProxy } from '@/lib/database/testing/postgres-proxy'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import type { NemesisLife } from './nemesis-desk'

/** How one desk comes to the store: through a proxy of its own, where there is a network between them. */
export type StorePath = { store: NemesisLife['store']; proxy: PostgresProxy | undefined }

/** The store of a lane: a folder that one desk has to itself, or a Postgres that several share. */
export type NemesisStore = {
  paths: StorePath[]
  /** Has the desks forget what the service's lists can do. Never rejects. */
  forgetCapabilities: () => Promise<void>
  close: () => Promise<void>
}

export async function openFolder(): Promise<NemesisStore> {
  const folder = await mkdtemp(join(tmpdir(), 'nemesis-'))
  return {
    paths: [{ store: { folder }, proxy: undefined }],
    forgetCapabilities: async () => undefined,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function openSharedPostgres(desks: number): Promise<NemesisStore> {
  const postgres = await startPostgres()
  const proxies = await Promise.all(Array.from({ length: desks }, () => PostgresProxy.start(postgres.url)))
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 })
  pool.on('error', () => undefined)
  return {
    paths: proxies.map((proxy) => ({ store: { url: proxy.url }, proxy })),
    forgetCapabilities: async () => {
      await pool.query('delete from capabilities').catch(() => undefined)
    },
    close: async () => {
      for (const proxy of proxies) await proxy.close()
      await pool.end()
      await postgres.stop()
    },
  }
}
