import fc from 'fast-check'

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

/** Payments as a service says them, with texts that a file could stumble over; the same for the same seed. For tests. */
export function makePayments(count: number, seed = 1): PaymentSource[] {
  return fc.sample(source, { numRuns: count, seed })
}
