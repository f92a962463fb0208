import * as z from 'zod'

/** A user's own columns of a list, as its address would write them; null for those it comes with. */
export const columnChoice = z.strictObject({
  list: z.enum(['payments', 'customers', 'mandates']),
  columns: z
    .string()
    .max(1_000)
    .regex(/^[\w.-]+$/u)
    .nullable(),
})
