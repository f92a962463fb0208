/** The states of a payment (deployment facts; Cancelled is ours, the interface shows Pending alone). */
export const paymentStates = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled'] as const
export type PaymentState = (typeof paymentStates)[number]

/** States of payments that are still to be collected. */
export const openStates = ['Pending', 'Scheduled'] as const satisfies readonly PaymentState[]

/** How a payment without a settlement date sorts by it. */
export const notSettled = new Date(Date.UTC(9999, 11, 31))

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** What a payment is for: "Gold membership, November 2026". */
export function describePayment(product: string, paymentDate: Date): string {
  return `${product}, ${months.format(paymentDate)}`
}
