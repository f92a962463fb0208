import { randomUUID } from 'node:crypto'
import { type RecordedRequest, type Script, startFaultService } from './fault-service'

/** A payment as stored and listed by this service. */
export type ServicePayment = {
  id: string
  handle?: string
  test?: boolean
  reference: string
  amount: number
  currency: string
  status: string
  paymentDate: string
  scheduleDate?: string
  modifiedAt: string
}

/** A DELETE in the service's log. `effective`: it cancelled the payment. */
export type LoggedDelete = {
  paymentId: string
  idempotencyKey: string | null
  /** The received reason; null without a readable body. */
  text: string | null
  at: number
  effective: boolean
}

/**
 * The handling of a DELETE: whether it takes effect, what happens first (settling the payment, killing the caller …), and
 * the reply. By default that of a sound service.
 */
export type DeleteSwitch = {
  effect?: boolean
  before?: (payment: ServicePayment | undefined) => void | Promise<void>
  after?: () => void | Promise<void>
  answer?: Script
}

/** The handling of reads. */
export type ListSwitches = {
  /** Whether a filter by id is honoured, ignored or answered with 400. */
  filter: 'honoured' | 'ignored' | 'rejected'
  /** How a payment is listed, null to omit it: for stale, flapping and vanishing ones. */
  show: (payment: ServicePayment) => ServicePayment | null
  /** A reply instead of the list; null for the list. */
  answer: (request: RecordedRequest) => Script | null
  /** Modifies the container: truncates it, repeats a cursor. */
  container: (container: { results: unknown[]; hasMore: unknown; nextOffset: unknown }) => object
}

export type PaymentLedgerService = {
  url: string
  requests: RecordedRequest[]
  deletes: LoggedDelete[]
  payments: Map<string, ServicePayment>
  /** Milliseconds from acceptance until the payment is cancelled. */
  cancelDelay: number
  lists: ListSwitches
  /** Called for each DELETE after its handling, before the reply. */
  onDelete: (() => void) | undefined
  /** Adds a pending payment and returns it. */
  add: (changes?: Partial<ServicePayment>) => ServicePayment
  change: (paymentId: string, changes: Partial<ServicePayment>) => void
  /** Sets switches for the next DELETEs of a payment, one each. */
  next: (payment: { id: string }, ...switches: DeleteSwitch[]) => void
  /** Resets all switches, which makes the service sound. */
  mend: () => void
  close: () => Promise<void>
}

function problem(status: number, title: string, detail: string): Script {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title, status, detail }),
  }
}

function readText(body: string): string | null {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === 'object' && read !== null && 'text' in read ? String(read.text) : null
  } catch {
    return null
  }
}

/** The ids of a filter such as `id eq 'a' or id eq 'b'`; null for other filters. */
function parseIdFilter(filter: string | null): Set<string> | null {
  const parts = filter?.split(' or ').map((part) => /^id eq '([^']+)'$/u.exec(part)?.[1]) ?? []
  const ids = parts.filter((id) => id !== undefined)
  return parts.length > 0 && ids.length === parts.length ? new Set(ids) : null
}

const sound: ListSwitches = {
  filter: 'honoured',
  show: (payment) => payment,
  answer: () => null,
  container: (container) => container,
}

/**
 * A small stateful payment service for tests of the ledger: lists and cancels payments and keeps its own log of requests,
 * against which the desk is checked. Its switches make it reply wrongly, late or not at all, with or without effect.
 */
export async function startPaymentLedgerService(): Promise<PaymentLedgerService> {
  const payments = new Map<string, ServicePayment>()
  const deletes: LoggedDelete[] = []
  const switches = new Map<string, DeleteSwitch[]>()
  const accepted = new Map<string, string | null>()
  const lists = { ...sound }

  function list(request: RecordedRequest): Script {
    const forced = lists.answer(request)
    if (forced) return forced
    const query = new URL(request.path, 'http://service').searchParams
    const wanted = parseIdFilter(query.get('filter'))
    if (wanted && lists.filter === 'rejected') return problem(400, 'Bad Request', 'filter is not supported')
    const all = [...payments.values()].flatMap((payment) => lists.show(payment) ?? [])
    const matching = wanted && lists.filter === 'honoured' ? all.filter(({ id }) => wanted.has(id)) : all
    const start = Number(query.get('after') ?? 0)
    const limit = Number(query.get('limit') ?? 20)
    const end = start + limit
    const container = { results: matching.slice(start, end), hasMore: end < matching.length, nextOffset: String(end) }
    return { body: JSON.stringify(lists.container(container)) }
  }

  function accept(payment: ServicePayment, idempotencyKey: string | null): boolean {
    if (payment.status !== 'Pending' || accepted.has(payment.id)) return false
    accepted.set(payment.id, idempotencyKey)
    const cancel = () => change(payment.id, { status: 'Cancelled' })
    if (service.cancelDelay > 0) setTimeout(cancel, service.cancelDelay)
    else cancel()
    return true
  }

  function answerSoundly(payment: ServicePayment | undefined, entry: LoggedDelete, isReplay: boolean): Script {
    if (!payment) return problem(404, 'Not Found', 'There is no such payment.')
    if (entry.effective) return { status: 202, headers: {}, body: '' }
    if (isReplay) return { status: 208, headers: {}, body: '' }
    return problem(409, 'Conflict', `The payment is ${payment.status} or being cancelled.`)
  }

  async function cancel(request: RecordedRequest): Promise<Script> {
    const paymentId = decodeURIComponent(request.path.slice('/Payments/'.length))
    const { before, after, effect = true, answer } = switches.get(paymentId)?.shift() ?? {}
    const payment = payments.get(paymentId)
    await before?.(payment)
    const header = request.headers['idempotency-key']
    const idempotencyKey = typeof header === 'string' ? header : null
    const isReplay = idempotencyKey !== null && accepted.get(paymentId) === idempotencyKey
    const entry = { paymentId, idempotencyKey, text: readText(request.body), at: Date.now(), effective: false }
    entry.effective = effect && payment !== undefined && accept(payment, idempotencyKey)
    deletes.push(entry)
    await after?.()
    service.onDelete?.()
    return answer ?? answerSoundly(payment, entry, isReplay)
  }

  function change(paymentId: string, changes: Partial<ServicePayment>): void {
    const payment = payments.get(paymentId)
    if (payment) payments.set(paymentId, { ...payment, modifiedAt: new Date().toISOString(), ...changes })
  }

  function add(changes: Partial<ServicePayment> = {}): ServicePayment {
    const payment = {
      id: randomUUID(),
      reference: `INV-${payments.size + 1}`,
      amount: 124_500,
      currency: 'DKK',
      status: 'Pending',
      paymentDate: new Date(Date.now() + 5 * 86_400_000).toISOString(),
      modifiedAt: '2026-11-01T09:00:00Z',
      ...changes,
    }
    payments.set(payment.id, payment)
    return payment
  }

  const { url, requests, close } = await startFaultService((request) => {
    if (request.method === 'GET' && /^\/Payments(?:\?|$)/u.test(request.path)) return list(request)
    if (request.method === 'DELETE' && request.path.startsWith('/Payments/')) return cancel(request)
    return problem(404, 'Not Found', 'There is no such address.')
  })
  const service: PaymentLedgerService = {
    url,
    requests,
    deletes,
    payments,
    cancelDelay: 0,
    lists,
    onDelete: undefined,
    add,
    change,
    next: ({ id }, ...given) => void switches.set(id, [...(switches.get(id) ?? []), ...given]),
    mend: () => {
      switches.clear()
      service.cancelDelay = 0
      Object.assign(lists, sound)
    },
    close,
  }
  return service
}
