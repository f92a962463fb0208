/*
 * What a customer's or a mandate's own payments are told in. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const payments = 'Payments'
export const noPayments = 'No payments'
export const nothingHasBeenCollected = 'Nothing has been collected here yet, and nothing is planned.'
