import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { parseCsv, unescapeFormulas } from '@/lib/domain/csv'
import { exportColumns } from '@/lib/domain/lists/export-columns'
import type { ExportQuery } from '@/lib/domain/lists/list-export'
import { resumeExport, startExport } from '../exports/commands'
import { streamExport } from '../exports/export-parts'
import { type ExportRow, findExport } from '../exports/queries'
import { runExport } from '../exports/worker'
import { connections, memberships, users } from '../store/schema'
import { type FaultService, type Script, startFaultService } from './fault-service'
import { makeSession, setMemoryStore } from './store-fixture'

export type PaymentSource = Record<string, unknown>

const hostile = fc.oneof(
  fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\rx',
    "'=x",
    "''=x",
    '＝x',
    '|cmd',
    'a,b;c"d"',
    'x\r\ny',
    '-5',
    ' x ',
    '\u{202E}x',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
)
const when = fc
  .integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })
  .map((epoch) => new Date(epoch).toISOString())
const source = fc.record({
  id: fc.uuid(),
  handle: fc.stringMatching(/^pm_[a-z0-9]{12}$/u),
  reference: hostile,
  description: fc.option(hostile),
  amount: fc.maxSafeInteger(),
  currency: fc.constantFrom('DKK', 'EUR', 'JPY', 'KWD'),
  test: fc.boolean(),
  status: fc.constantFrom('Pending', 'Settled'),
  scheduleDate: when.map((moment) => `${moment.slice(0, 10)}T00:00:00Z`),
  createdAt: when,
  modifiedAt: when,
  customer: fc.record({ id: fc.uuid(), name: hostile }),
  mandate: fc.record({
    id: fc.uuid(),
    handle: fc.stringMatching(/^md_[a-z0-9]{12}$/u),
    scheme: fc.constant('nets-bs'),
  }),
})

/** Payments as a service returns them, with texts that are difficult to export; reproducible by seed. */
export function makePayments(count: number, seed = 1): PaymentSource[] {
  return fc.sample(source, { numRuns: count, seed })
}

const everything: ExportQuery = {
  list: 'listPayments',
  asked: null,
  rest: null,
  order: null,
  filters: {},
  columns: exportColumns.listPayments.map(({ id }) => id),
  zone: 'America/St_Johns',
}

/** The payments of a service: an array, or a generator of pages for a list too long to be stored. */
type PaymentList = { readonly length: number; slice: (from?: number, to?: number) => readonly PaymentSource[] }

/** A store and a payment service from which lists are exported, for the tests of a file. */
export class ExportFixture<Payments extends PaymentList = readonly PaymentSource[]> {
  readonly session = makeSession('support')
  #store: OpenDatabase | undefined
  #service: FaultService | undefined
  payments: Payments
  /** Replies in place of the page at an offset. */
  troubles = new Map<number, Script>()
  /** Whether the list is cyclic. */
  loop = false
  onPage: (at: number) => unknown = () => undefined

  constructor(payments: Payments) {
    this.payments = payments
    beforeAll(async () => {
      this.#service = await startFaultService(async ({ path }) => {
        const url = new URL(path, 'http://service')
        await this.onPage(Number(url.searchParams.get('after') ?? 0))
        return this.#answer(url)
      })
      process.env.UPSTREAM_URL = this.#service.url
      process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
      process.env.NEXTAUTH_URL = 'http://127.0.0.1:3000'
      process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
      this.#store = await setMemoryStore()
      await this.addAuthor()
    })
    beforeEach(() => {
      this.troubles = new Map()
      this.loop = false
      this.onPage = () => undefined
    })
    afterAll(async () => {
      await this.#service?.close()
      await this.#store?.close()
      globalThis.debitdeskStore = undefined
    })
  }

  /** Uses a given store instead of one in memory, and closes it in the end. */
  async useStore(store: OpenDatabase): Promise<void> {
    await this.#store?.close()
    this.#store = store
    globalThis.debitdeskStore = Promise.resolve(store)
    await this.addAuthor()
  }

  /** Ensures that the exports' author has an account with read access. */
  async addAuthor(): Promise<void> {
    const { userId, email, role, scope } = this.session
    const { connectionId } = scope
    await this.db.insert(connections).values({ connectionId, name: 'Merchant' }).onConflictDoNothing()
    await this.db
      .insert(users)
      .values({ id: userId, email })
      .onConflictDoUpdate({ target: users.id, set: { disabledAt: null } })
    await this.db
      .insert(memberships)
      .values({ connectionId, userId, role })
      .onConflictDoUpdate({ target: [memberships.connectionId, memberships.userId], set: { role } })
  }

  get db(): OpenDatabase['db'] {
    if (!this.#store) throw new Error('the store is not open yet')
    return this.#store.db
  }

  get requests(): FaultService['requests'] {
    return this.#service?.requests ?? []
  }

  #answer(url: URL): Script {
    const at = Number(url.searchParams.get('after') ?? 0)
    const trouble = this.troubles.get(at)
    if (trouble) return trouble
    const end = at + Number(url.searchParams.get('limit'))
    const hasMore = end < this.payments.length
    const nextOffset = hasMore ? (this.loop ? '100' : String(end)) : null
    return { body: JSON.stringify({ results: this.payments.slice(at, end), hasMore, nextOffset }) }
  }

  start(query: Partial<ExportQuery> = {}): Promise<ExportRow> {
    return startExport(this.db, this.session, { ...everything, ...query })
  }

  find({ id }: Pick<ExportRow, 'id'>): Promise<ExportRow> {
    return findExport(this.db, this.session, id)
  }

  /** Runs an export until it ends; returns its final row. */
  async work(row: ExportRow): Promise<ExportRow> {
    await runExport(this.db, this.session, row)
    return this.find(row)
  }

  async run(query: Partial<ExportQuery> = {}): Promise<ExportRow> {
    return this.work(await this.start(query))
  }

  /** Resumes a stopped or interrupted export and runs it until it ends. */
  async resume(row: Pick<ExportRow, 'id'>): Promise<ExportRow> {
    const resumed = await resumeExport(this.db, this.session, await this.find(row))
    if (!resumed) throw new Error('it cannot go on')
    return this.work(resumed)
  }

  async readBytes(row: Pick<ExportRow, 'id'>): Promise<ArrayBuffer> {
    return new Response(await streamExport(this.db, await this.find(row))).arrayBuffer()
  }

  /** The file's rows by column name, as parsed by a program. */
  async readRows(row: Pick<ExportRow, 'id'>): Promise<Record<string, string>[]> {
    const [head, ...rows] = parseCsv(new TextDecoder().decode(await this.readBytes(row))).rows
    return rows.map(({ cells }) =>
      Object.fromEntries(cells.map((cell, at) => [head?.cells[at], unescapeFormulas(cell)])),
    )
  }
}
