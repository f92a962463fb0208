import type { ListQuery } from '@/lib/contract/page'

/** One measured page: what is asked, and whether it is the first page of the answer or the last. */
export type BenchCase = {
  name: string
  query: ListQuery
  page: 'first' | 'last'
  /** An order without an index: measured, but not held to the limit (decision 0004). */
  sorts?: boolean
}

const both = (name: string, query: ListQuery): BenchCase[] => [
  { name: `${name}, first page`, query, page: 'first' },
  { name: `${name}, last page`, query, page: 'last' },
]

const sorting = (name: string, query: ListQuery): BenchCase[] =>
  both(name, query).map((one) => ({ ...one, sorts: true }))

/** `today` is a date of the seed's calendar, such as 2026-11-20. */
export function benchCases(today: string): BenchCase[] {
  const coming = `status eq 'Pending' and scheduleDate ge ${today}`
  const month = `status eq 'Settled' and scheduleDate ge 2026-10-01 and scheduleDate lt 2026-11-01`
  const paid = `status eq 'Settled' and paymentDate ge 2026-10-01 and paymentDate lt 2026-11-01`
  const contains = (text: string) => `contains(customer/name,'${text}')`
  return [
    ...both('newest first', {}),
    ...both('by scheduleDate desc', { orderby: 'scheduleDate desc' }),
    ...both('by amount desc', { orderby: 'amount desc' }),
    ...both('by customer/name', { orderby: 'customer/name' }),
    ...both('by status', { orderby: 'status' }),
    ...both('by currency desc', { orderby: 'currency desc' }),
    ...both('by mandate/handle', { orderby: 'mandate/handle' }),
    ...both('by customer/id', { orderby: 'customer/id' }),
    ...both('by status, scheduleDate', { orderby: 'status,scheduleDate' }),
    ...sorting('by status desc, amount, newest first', { orderby: 'status desc,amount,createdAt desc' }),
    ...both('by currency, amount desc', { orderby: 'currency,amount desc' }),
    ...both('by customer/name, scheduleDate desc', { orderby: 'customer/name,scheduleDate desc' }),
    ...sorting('by test, mandate/scheme, paymentDate', { orderby: 'test,mandate/scheme,paymentDate' }),
    ...both('Pending to come, newest first', { filter: coming }),
    ...both('Pending to come, by scheduleDate', { filter: coming, orderby: 'scheduleDate' }),
    ...both('Settled in October, newest first', { filter: month }),
    ...both('Settled in October, by scheduleDate', { filter: month, orderby: 'scheduleDate' }),
    ...both('Settled, to be paid in October, newest first', { filter: paid }),
    ...both("contains 'sen', in half of all names", { filter: contains('sen') }),
    ...both("contains 'bjerregaard', in one of forty", { filter: contains('bjerregaard') }),
    ...both("contains 'skovgård', and Pending", { filter: `${contains('skovgård')} and ${coming}` }),
    ...both("contains 'ægir', one customer", { filter: contains('ægir') }),
    { name: "contains 'qqq', nobody", query: { filter: contains('qqq') }, page: 'first' },
    ...both("contains 'sen', by amount", { filter: contains('sen'), orderby: 'amount desc' }),
  ]
}
