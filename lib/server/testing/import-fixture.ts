import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import type { CustomerImportView } from '@/lib/domain/customers/customer-import'
import { usedCapabilities } from '@/lib/domain/lists/capabilities'
import { startImport } from '../imports/commands'
import { findImport, type ImportRow, viewImport } from '../imports/import-record'
import { runImport } from '../imports/worker'
import { customerImportRows, customerImports } from '../store/import-schema'
import { activity, memberships, users } from '../store/schema'
import { getConnection } from '../upstream/connection'
import { writeProofRows } from '../upstream/capability-store'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from './fault-service'
import { makeSession, setMemoryStore } from './store-fixture'

export type ServiceCustomer = { id: string; handle: string; name: string; number: string | null; createdAt: string }

/** The service's handling of a creation; by default it creates the customer and confirms it. */
type Creation = { script?: Script; creates?: boolean }

/** A service over HTTP that lists and creates customers, and loses or falsifies replies as tests require. */
export class CustomerService {
  readonly customers: ServiceCustomer[] = []
  /** Decides on the n-th creation, from 1. */
  onCreate: (count: number, body: { name: string }) => Creation | Promise<Creation> = () => ({})
  /** Replies to a read of the list instead of the service. */
  onList: (request: RecordedRequest) => Script | null = () => null
  /** Whether the list includes a customer. */
  shows: (customer: ServiceCustomer) => boolean = () => true
  #service: FaultService | null = null

  get url(): string {
    return this.#service?.url ?? ''
  }

  get creations(): RecordedRequest[] {
    return (this.#service?.requests ?? []).filter(({ method }) => method === 'POST')
  }

  get reads(): RecordedRequest[] {
    return (this.#service?.requests ?? []).filter(({ method }) => method === 'GET')
  }

  async start(): Promise<void> {
    this.#service = await startFaultService((request) =>
      request.method === 'POST' ? this.#create(request) : this.#list(request),
    )
  }

  reset(): void {
    this.customers.length = 0
    if (this.#service) this.#service.requests.length = 0
    this.onCreate = () => ({})
    this.onList = () => null
    this.shows = () => true
  }

  async close(): Promise<void> {
    await this.#service?.close()
  }

  add(given: { id?: string; name: string; number?: string | undefined; createdAt?: string }): ServiceCustomer {
    const customer = {
      id: given.id ?? randomUUID(),
      handle: `cu_${this.customers.length + 1}`,
      name: given.name,
      number: given.number ?? null,
      createdAt: given.createdAt ?? new Date().toISOString(),
    }
    this.customers.push(customer)
    return customer
  }

  async #create(request: RecordedRequest): Promise<Script> {
    const body = JSON.parse(request.body)
    const { script, creates = true } = await this.onCreate(this.creations.length, body)
    const made = creates ? this.add(body) : null
    return script ?? { status: 201, body: JSON.stringify(made) }
  }

  #list(request: RecordedRequest): Script {
    const given = this.onList(request)
    if (given) return given
    const { searchParams } = new URL(request.path, 'http://service.test')
    // Ignores filters, as a service may, and only sorts by creation.
    const limit = Number(searchParams.get('limit') ?? 20)
    const from = Number(searchParams.get('after') ?? 0)
    const shown = this.customers.filter((customer) => this.shows(customer))
    if (searchParams.get('orderby') === 'createdAt desc')
      shown.sort((left, right) => Date.parse(right.createdAt) - Date.parse(left.createdAt))
    const results = shown.slice(from, from + limit)
    const hasMore = from + limit < shown.length
    return { body: JSON.stringify({ results, hasMore, nextOffset: hasMore ? String(from + limit) : null }) }
  }
}

const mapping = { name: 0, number: 1 }

/** Imports by an admin with their own store and service, emptied before each test of a file. */
export class ImportFixture {
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
    // The log remembers every file, which must not affect the next test.
    await this.db.delete(activity)
    await this.prove()
  }

  async #close(): Promise<void> {
    await this.service.close()
    await this.#store?.close()
    globalThis.debitdeskStore = undefined
  }

  /** Sets the proven capabilities of the list of customers; others are disproven. */
  async prove(...abilities: string[]): Promise<void> {
    const all = Object.fromEntries(
      usedCapabilities.listCustomers.map((ability) => [ability, abilities.includes(ability)]),
    )
    await writeProofRows(this.db, getConnection(this.admin.scope.connectionId), 'listCustomers', all)
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

  /** Runs an import like a desk until it ends; lines in doubt are searched for again after 30 ms. */
  async work(row: ImportRow): Promise<void> {
    await (await runImport(this.db, this.admin, row, 30)).ended
  }

  async run(text: string): Promise<CustomerImportView> {
    const row = await this.start(text)
    await this.work(row)
    return this.seen(row.id)
  }

  /** The activity log's entries about imports, in order. */
  async noted() {
    const rows = await this.db.select().from(activity).orderBy(activity.sequence)
    return rows.filter(({ objectKind }) => objectKind === 'import')
  }
}
