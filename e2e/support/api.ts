import { type APIRequestContext, type APIResponse, test } from '@playwright/test'

type Options = { method?: string; body?: unknown; headers?: Record<string, string> }

/** Calls the desk's API like its browser code: with the headers that prove the same origin, and the context's cookies. */
export function callApi(
  context: APIRequestContext,
  url: string,
  { method = 'GET', body, headers }: Options = {},
): Promise<APIResponse> {
  const proof = { 'x-debitdesk': '1', origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' }
  return context.fetch(url, {
    method,
    maxRedirects: 0,
    headers: { ...proof, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { data: JSON.stringify(body) }),
  })
}

export type ListedPayment = {
  id: string
  handle: string
  reference: string
  description: string
  amount: number
  currency: string
  status: string
  modifiedAt: string
  customer: { id: string; name: string }
  mandate: { id: string; handle: string; scheme: string }
}

/** The payments that the desk's API returns to the signed-in user. */
export async function readPayments(
  context: APIRequestContext,
  deskUrl: string,
  query: Record<string, string>,
): Promise<ListedPayment[]> {
  const search = new URLSearchParams({ limit: '100', ...query })
  const response = await callApi(context, `${deskUrl}/api/service/Payments?${search}`)
  if (!response.ok()) throw new Error(`GET /Payments processed ${response.status()}: ${await response.text()}`)
  const page: { results: ListedPayment[] } = await response.json()
  return page.results
}

const taken = new Set<string>()

/** Workers share a desk: each uses its own share of the payments, by the first digits of their ids. */
function isOurs(id: string): boolean {
  const { parallelIndex, config } = test.info()
  return Number.parseInt(id.slice(0, 6), 16) % config.workers === parallelIndex
}

/** A pending payment that no other test uses. */
export async function takePendingPayment(context: APIRequestContext, deskUrl: string): Promise<ListedPayment> {
  const found = await readPayments(context, deskUrl, { filter: "status eq 'Pending'" })
  const free = found.find(({ id }) => isOurs(id) && !taken.has(id))
  if (!free) throw new Error('no pending payment is left for this test')
  taken.add(free.id)
  return free
}

/** The request body that the desk's dialog sends for a cancellation. */
export function cancellationOf(payment: ListedPayment, reason: string) {
  const { amount, currency, status, modifiedAt } = payment
  return { key: crypto.randomUUID(), paymentId: payment.id, reason, seen: { amount, currency, status, modifiedAt } }
}

/** Every payment that may be cancelled. */
export async function readPendingPayments(context: APIRequestContext, deskUrl: string): Promise<ListedPayment[]> {
  const payments: ListedPayment[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ limit: '100', filter: "status eq 'Pending'", ...(after && { after }) })
    const response = await callApi(context, `${deskUrl}/api/service/Payments?${query}`)
    const page: { results: ListedPayment[]; continuation: { kind: string; after?: string } } = await response.json()
    payments.push(...page.results)
    after = page.continuation.after ?? null
  }
  return payments
}
