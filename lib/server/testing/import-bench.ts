import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { usedAbilities } from '@/lib/contract/ability'
import type { CustomerImportView } from '@/lib/contract/customer-import'
import type { OpenDatabase } from '@/lib/database/open-database'
import { writeProofRows } from '../capabilities/proof-rows'
import { runImport } from '../imports/run-import'
import { startImport } from '../imports/start-import'
import { findImport, type ImportRow, viewImport } from '../imports/view-import'
import { customerImportRows, customerImports } from '../store/import-schema'
import { activity, memberships, users } from '../store/schema'
import { CustomerService } from './customer-service'
import { makeSession } from './make-session'
import { setMemoryStore } from './memory-store'

const mapping = { name: 0, number: 1 }

/** Imports of an admin at a store and a service of their own, empty before each test of a file. */
export class ImportBench {
  readonly admin = makeSession('admin')
  readonly service = new CustomerService()
  #store: OpenDatabase | undefined

  constructor() {
    beforeAll(() => this.#open())
    beforeEach(() => this.#reset())
    afterAll(() => this.#close())
  }

  async #open(): Promise<void> {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    this.#store = await setMemoryStore()
    const { admin, db, service } = this
    await service.start()
    await db.execute(sql`alter table activity disable trigger user`)
    process.env.UPSTREAM_URL = service.url
    process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
    await db.insert(users).values({ id: admin.userId, email: admin.email })
    const { connectionId } = admin.scope
    await db.insert(memberships).values({ connectionId, userId: admin.userId, role: 'admin' })
  }

  get db(): OpenDatabase['db'] {
    if (!this.#store) throw new Error('the store is not open yet')
    return this.#store.db
  }

  async #reset(): Promise<void> {
    this.service.reset()
    await this.db.delete(customerImportRows)
    await this.db.delete(customerImports)
    // The log remembers every file: the next test begins without it.
    await this.db.delete(activity)
    await this.prove()
  }

  async #close(): Promise<void> {
    await this.service.close()
    await this.#store?.close()
    globalThis.debitdeskStore = undefined
  }

  /** What the list of customers is proven to do: nothing, save what is named. */
  async prove(...abilities: string[]): Promise<void> {
    const all = Object.fromEntries(usedAbilities.listCustomers.map((ability) => [ability, abilities.includes(ability)]))
    await writeProofRows(this.db, this.admin.scope.connectionId, 'listCustomers', all)
    globalThis.debitdeskProbes = undefined
  }

  start(text: string): Promise<ImportRow> {
    return startImport(this.db, this.admin, { fileName: 'a.csv', text, mapping })
  }

  find(importId: string): Promise<ImportRow> {
    return findImport(this.db, this.admin.scope, importId)
  }

  async seen(importId: string): Promise<CustomerImportView> {
    return viewImport(this.db, await this.find(importId))
  }

  /** Works on it as one desk, until it ends; lines in doubt are looked for again after 30 ms. */
  async work(row: ImportRow): Promise<void> {
    await (await runImport(this.db, this.admin, row, 30)).ended
  }

  async run(text: string): Promise<CustomerImportView> {
    const row = await this.start(text)
    await this.work(row)
    return this.seen(row.id)
  }

  /** What the activity log has of imports, in order. */
  async noted() {
    const rows = await this.db.select().from(activity).orderBy(activity.sequence)
    return rows.filter(({ objectKind }) => objectKind === 'import')
  }
}
