/** The states of a payment (deployment facts; Cancelled is ours, the interface shows Pending alone). */
export const paymentStates = ['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled'] as const
export type PaymentState = (typeof paymentStates)[number]

/** States of payments that are still to be collected. */
export const openStates = ['Pending', 'Scheduled'] as const satisfies readonly PaymentState[]
