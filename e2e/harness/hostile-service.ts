import type { Answer, Foreign } from './start-foreign'

const uuid = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`

/** The id under which every single record is found. */
export const recordId = uuid(1)

const plain = { id: recordId, createdAt: '2026-11-01T10:00:00Z', modifiedAt: '2026-11-02T10:00:00Z' }

/** Free-form data that holds a text as its keys and its values, and what a careless merge would take for a prototype. */
function nest(text: string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify({
      [text]: text,
      list: [text, { [text]: [text] }],
      pair: [{ key: text, value: text }],
      replaced: 0,
    }).replace('"replaced":0', '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}'),
  )
}

function makeCustomer(text: string, id: string) {
  const mandates = [{ handle: text, scheme: text, state: text }]
  const address = { addressLine1: text, addressLine2: text, city: text, country: text, postalCode: text }
  return { ...plain, id, name: text, handle: text, number: text, mandates, ...address, [text]: text }
}

function makeMandate(text: string, id: string) {
  const customer = { id: recordId, handle: text, name: text, number: text }
  return {
    ...plain,
    id,
    handle: text,
    scheme: text,
    status: text,
    schemeData: [text, nest(text)],
    customer,
    [text]: text,
  }
}

function makePayment(text: string, id: string, status: string) {
  const said = { handle: text, description: text, reference: text, currency: text, status, [text]: text }
  const moments = { paymentDate: '2026-12-01T00:00:00Z', scheduleDate: '2026-12-01T00:00:00Z' }
  const parts = { customer: { id: recordId, name: text }, mandate: { id: recordId, handle: text, scheme: text } }
  return { ...plain, ...said, ...moments, ...parts, id, amount: 12_345, test: false }
}

const listOf = (results: unknown[]): Answer => ({ body: { results, hasMore: false, nextOffset: null } })

/**
 * Lets a foreign service say each of `texts` in every field of a record of each list, the first of them also in every
 * field of the records that are read singly, and refuse writes in the same words.
 */
export function sayEverywhere({ answer, answerElse }: Foreign, texts: readonly string[]): void {
  const [first = ''] = texts
  const each = (make: (text: string, id: string) => unknown) =>
    listOf(texts.map((text, at) => make(text, uuid(at + 1))))
  answer(() => each((text, id) => makePayment(text, id, id === recordId ? 'Pending' : text)))
  const single: Record<string, unknown> = {
    '/Merchants': { ...plain, name: first, handle: first, isvHandle: first, metaData: nest(first), [first]: first },
    '/Merchants/webhooks': texts.map((text) => ({ webhookUrl: text, secret: text, [text]: text })),
    [`/Customers/${recordId}`]: makeCustomer(first, recordId),
    [`/Customers/mandates/${recordId}`]: makeMandate(first, recordId),
    [`/Merchants/agreements/${recordId}`]: {
      ...plain,
      handle: first,
      scheme: first,
      status: first,
      schemeData: nest(first),
      dataSourceHandle: first,
      test: false,
      [first]: first,
    },
  }
  answerElse((method, path) => {
    const problem = {
      type: first,
      title: first,
      detail: first,
      instance: first,
      errors: { Name: [first], [first]: [first] },
    }
    if (method !== 'GET') return { status: 400, body: { ...problem, status: 400 } }
    if (path === '/Customers') return each(makeCustomer)
    if (path === '/Customers/mandates') return each(makeMandate)
    if (path === '/') return { body: first }
    if (path in single) return { body: single[path] }
    return { status: 403, body: { ...problem, status: 403 } }
  })
}

/** Lets it leave out, or say null or nonsense of, everything but ids. */
export function sayNothing({ answer, answerElse }: Foreign): void {
  const shapes = [{}, { name: null, handle: null, status: null, amount: null, customer: null, mandate: null }]
  const odd = {
    name: 5,
    handle: {},
    status: 7,
    amount: 'x',
    currency: [],
    customer: 'x',
    mandate: [],
    createdAt: 'never',
  }
  const zero = {
    createdAt: '0001-01-01T00:00:00',
    modifiedAt: '',
    paymentDate: '9999-12-31',
    scheduleDate: 0,
    mandates: {},
  }
  const rows = [...shapes, odd, zero].map((shape, at) => ({ ...shape, id: uuid(at + 1) }))
  answer(() => listOf(rows))
  answerElse((method, path) => {
    if (method !== 'GET') return { status: 400 }
    if (path === '/Customers' || path === '/Customers/mandates') return listOf(rows)
    return { body: path === '/Merchants/webhooks' ? [null, {}, { url: null }] : { ...odd, ...zero, id: recordId } }
  })
}
