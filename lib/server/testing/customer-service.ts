import { randomUUID } from 'node:crypto'
import { type FaultService, type RecordedRequest, type Script, startFaultService } from './fault-service'

export type ServiceCustomer = { id: string; handle: string; name: string; number: string | null; createdAt: string }

/** What the service does with one creation: by default it creates the customer and says so. */
type Creation = { script?: Script; creates?: boolean }

/** A service over HTTP that lists and creates customers, and loses or falsifies replies as a test says. */
export class CustomerService {
  readonly customers: ServiceCustomer[] = []
  /** Decides about the creation with this number, from 1. */
  onCreate: (count: number, body: { name: string }) => Creation | Promise<Creation> = () => ({})
  /** Answers a read of the list in place of the service. */
  onList: (request: RecordedRequest) => Script | null = () => null
  /** What the list shows, of what there is. */
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

  add(given: { name: string; number?: string | undefined; createdAt?: string }): ServiceCustomer {
    const customer = {
      id: randomUUID(),
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
    // It ignores a filter, as a service may, and sorts by creation alone.
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
