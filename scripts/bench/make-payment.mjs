const names = ['Asta Holm', 'Birk Lund', 'Clara Friis', 'Emil Krogh', 'Freja Dam', 'Gustav Bech', 'Ida Juhl']
const subjects = ['Subscription', 'Membership', 'Electricity', 'Heating', 'Insurance']
const states = ['Pending', 'Settled', 'Settled', 'Settled', 'Cancelled', 'Rejected']
const newest = Date.UTC(2026, 5, 1)
const day = 86_400_000

/** The id of payment number `index`: a UUID that ends in the number, so that a cursor needs no look-up. */
export const makeId = (index) => `9b1d3c52-6f0e-4a7b-8c21-${String(index).padStart(12, '0')}`

/** The number that `makeId` was given, or -1. */
export const readId = (id) => (id === makeId(Number(id.slice(24))) ? Number(id.slice(24)) : -1)

/** Payment number `index` of the bench, newest first: the same on every machine. */
export function makePayment(index) {
  const created = newest - index * 61_000
  const due = created + (3 + (index % 4)) * day
  const date = (time) => new Date(time).toISOString().slice(0, 10)
  const status = states[(index * 7) % states.length]
  return {
    id: makeId(index),
    handle: `bench-${index}`,
    description: `${subjects[(index * 3) % subjects.length]} ${date(due).slice(0, 7)}`,
    reference: `B${String(index).padStart(8, '0')}`,
    amount: 10_000 + ((index * 7_919) % 190_000),
    currency: index % 3 === 0 ? 'EUR' : 'DKK',
    status,
    scheduleDate: date(due),
    paymentDate: date(due + day),
    settlementDate: status === 'Settled' ? date(due + 2 * day) : null,
    createdAt: new Date(created).toISOString(),
    modifiedAt: new Date(created + day).toISOString(),
    test: false,
    customer: { id: makeId(1_000_000 + (index % 9_973)), name: names[(index * 5) % names.length] },
    mandate: {
      id: makeId(2_000_000 + (index % 9_973)),
      handle: `mandate-${index % 9_973}`,
      scheme: index % 3 === 0 ? 'sepa-core' : 'nets-bs',
    },
  }
}
