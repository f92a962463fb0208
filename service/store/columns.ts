import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A moment with milliseconds, which is what a JavaScript Date can carry there and back unharmed. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

/** Text ordered by code points, so that an order (and the cursor in it) is the same on every database. */
export const plainText = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate "C"' })
