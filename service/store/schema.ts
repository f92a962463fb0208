import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

/** A timestamp with milliseconds, the precision of a JavaScript Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

/** Text ordered by code points, so that sort orders and cursors are the same on every database. */
export const plainText = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate "C"' })

/*
 * The service's own database. Every row belongs to one merchant and every query names it. Columns named `…Search` hold
 * the folded text (NFC, lower case) and `grams` trigrams without accents (see query/text-search.ts). All index columns are
 * ascending: a `DESC NULLS LAST` index would not serve `ORDER BY … DESC`.
 */

export const merchants = pgTable('merchants', {
  id: uuid('id').primaryKey(),
  handle: plainText('handle').notNull().unique(),
  name: text('name').notNull(),
  isvHandle: text('isv_handle'),
  metaData: jsonb('meta_data').notNull().default({}),
  createdAt: instant('created_at').notNull(),
  modifiedAt: instant('modified_at').notNull(),
})

/** API credentials. Only the SHA-256 of a token is stored. An `isv` credential may also create merchants. */
export const credentials = pgTable(
  'credentials',
  {
    tokenHash: text('token_hash').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    isv: boolean('isv').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('credentials_by_merchant').on(table.merchantId)],
)

/** Secrets that the service generates at first start, by name. */
export const secrets = pgTable('secrets', { name: text('name').primaryKey(), value: text('value').notNull() })

export const customers = pgTable(
  'customers',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    handle: plainText('handle').notNull(),
    name: text('name').notNull(),
    nameSearch: plainText('name_search').notNull(),
    number: text('number').notNull().default(''),
    numberSearch: plainText('number_search').notNull().default(''),
    grams: integer('grams').array().notNull(),
    addressLine1: text('address_line1').notNull().default(''),
    addressLine2: text('address_line2').notNull().default(''),
    city: text('city').notNull().default(''),
    country: text('country').notNull().default(''),
    postalCode: text('postal_code').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    modifiedAt: instant('modified_at').notNull(),
  },
  (table) => [
    uniqueIndex('customers_by_handle').on(table.merchantId, table.handle),
    index('customers_by_name').on(table.merchantId, table.nameSearch, table.id),
    index('customers_by_number').on(table.merchantId, table.numberSearch, table.id),
    index('customers_by_creation').on(table.merchantId, table.createdAt, table.id),
    index('customers_by_change').on(table.merchantId, table.modifiedAt, table.id),
    index('customers_by_id').on(table.merchantId, table.id),
    index('customers_by_grams').using('gin', table.grams),
  ],
)

export const agreements = pgTable(
  'agreements',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    handle: plainText('handle').notNull(),
    scheme: plainText('scheme').notNull(),
    schemeData: jsonb('scheme_data').notNull().default({}),
    test: boolean('test').notNull().default(false),
    dataSourceHandle: text('data_source_handle'),
    status: plainText('status').notNull(),
    createdAt: instant('created_at').notNull(),
    modifiedAt: instant('modified_at').notNull(),
    /** When its next simulated step is due. */
    nextAt: instant('next_at'),
  },
  (table) => [
    uniqueIndex('agreements_by_handle').on(table.merchantId, table.handle),
    index('agreements_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
  ],
)

export const mandates = pgTable(
  'mandates',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    agreementId: uuid('agreement_id').references(() => agreements.id),
    handle: plainText('handle').notNull(),
    scheme: plainText('scheme').notNull(),
    status: plainText('status').notNull(),
    schemeData: jsonb('scheme_data').notNull().default([]),
    /** Copied from the customer and kept equal by updateCustomer, so that sorting and filtering need no join. */
    customerSearch: plainText('customer_search').notNull(),
    customerNumberSearch: plainText('customer_number_search').notNull(),
    grams: integer('grams').array().notNull(),
    createdAt: instant('created_at').notNull(),
    modifiedAt: instant('modified_at').notNull(),
    nextAt: instant('next_at'),
    /** When the merchant's data source next creates a payment on it. */
    billAt: instant('bill_at'),
  },
  (table) => [
    uniqueIndex('mandates_by_handle').on(table.merchantId, table.handle),
    index('mandates_by_id').on(table.merchantId, table.id),
    index('mandates_by_customer').on(table.customerId),
    index('mandates_by_creation').on(table.merchantId, table.createdAt, table.id),
    index('mandates_by_name').on(table.merchantId, table.customerSearch, table.id),
    index('mandates_by_number').on(table.merchantId, table.customerNumberSearch, table.id),
    index('mandates_by_status').on(table.merchantId, table.status, table.id),
    index('mandates_by_scheme').on(table.merchantId, table.scheme, table.id),
    index('mandates_by_grams').using('gin', table.grams),
    index('mandates_by_agreement').on(table.agreementId),
    index('mandates_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index('mandates_to_bill').on(table.billAt).where(sql`${table.billAt} is not null`),
  ],
)

export const payments = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    mandateId: uuid('mandate_id')
      .notNull()
      .references(() => mandates.id),
    handle: plainText('handle').notNull(),
    description: text('description').notNull(),
    descriptionSearch: plainText('description_search').notNull(),
    reference: text('reference').notNull(),
    referenceSearch: plainText('reference_search').notNull(),
    /** Minor units of the currency (ISO 4217). */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    currency: plainText('currency').notNull(),
    test: boolean('test').notNull(),
    status: plainText('status').notNull(),
    scheduleDate: instant('schedule_date').notNull(),
    paymentDate: instant('payment_date').notNull(),
    settlementDate: instant('settlement_date'),
    /** The settlement date for sorting: the far future if there is none, because cursors cannot contain null. */
    settlementSort: instant('settlement_sort').notNull(),
    createdAt: instant('created_at').notNull(),
    modifiedAt: instant('modified_at').notNull(),
    scheme: plainText('scheme').notNull(),
    mandateHandle: plainText('mandate_handle').notNull(),
    /** Copied from the customer and kept equal by updateCustomer. */
    customerSearch: plainText('customer_search').notNull(),
    /** Trigrams of the customer's name, the reference and the description. */
    grams: integer('grams').array().notNull(),
    /** When its next simulated step is due. */
    nextAt: instant('next_at'),
    /** An accepted cancellation: when it takes effect, and the reason given. */
    cancelAt: instant('cancel_at'),
    cancelText: text('cancel_text'),
  },
  (table) => [
    uniqueIndex('payments_by_handle').on(table.merchantId, table.handle),
    index('payments_by_id').on(table.merchantId, table.id),
    index('payments_by_creation').on(table.merchantId, table.createdAt, table.id),
    index('payments_by_change').on(table.merchantId, table.modifiedAt, table.id),
    index('payments_by_schedule').on(table.merchantId, table.scheduleDate, table.id),
    index('payments_by_payment_date').on(table.merchantId, table.paymentDate, table.id),
    index('payments_by_settlement').on(table.merchantId, table.settlementSort, table.id),
    // The last column of these three is not sorted by: it lets filters on state and date, or on the name, be answered
    // from the index alone.
    index('payments_by_status_and_schedule').on(
      table.merchantId,
      table.status,
      table.scheduleDate,
      table.id,
      table.createdAt,
    ),
    index('payments_by_status_and_creation').on(
      table.merchantId,
      table.status,
      table.createdAt,
      table.id,
      table.scheduleDate,
    ),
    index('payments_by_amount').on(table.merchantId, table.amount, table.id, table.customerSearch),
    index('payments_by_status').on(table.merchantId, table.status, table.id),
    index('payments_by_currency').on(table.merchantId, table.currency, table.id),
    index('payments_by_test').on(table.merchantId, table.test, table.id),
    index('payments_by_scheme').on(table.merchantId, table.scheme, table.id),
    index('payments_by_mandate_handle').on(table.merchantId, table.mandateHandle, table.id),
    index('payments_by_reference').on(table.merchantId, table.referenceSearch, table.id),
    index('payments_by_description').on(table.merchantId, table.descriptionSearch, table.id),
    index('payments_by_customer_name').on(table.merchantId, table.customerSearch, table.id),
    index('payments_by_customer').on(table.customerId, table.createdAt, table.id),
    index('payments_by_mandate').on(table.mandateId, table.createdAt, table.id),
    index('payments_by_grams').using('gin', table.grams),
    index('payments_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index('payments_to_cancel').on(table.cancelAt).where(sql`${table.cancelAt} is not null`),
  ],
)

/** The reply to each write with an Idempotency-Key, stored in the write's own transaction. */
export const storedAnswers = pgTable(
  'stored_answers',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    key: text('key').notNull(),
    /** SHA-256 of method, path, body and `Prefer: new-secret`: the same key for another request is refused. */
    requestHash: text('request_hash').notNull(),
    /** Unused. Earlier services name it in their queries, and share the database during a rolling restart. */
    status: integer('status'),
    answer: jsonb('answer'),
    at: instant('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.key] }), index('stored_answers_by_age').on(table.at)],
)

/** The latest reading of the service's clock, in one row with the id 1, from which it goes on after a restart. */
export const clockReadings = pgTable('clock_readings', { id: integer('id').primaryKey(), at: instant('at').notNull() })

/**
 * When the payments of a business date were created, from first to last, per date field. Maintained by a trigger on
 * insertion. Neither date nor creation ever changes, so a span is never too narrow.
 */
export const creationSpans = pgTable(
  'creation_spans',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** `scheduleDate` or `paymentDate`. */
    field: plainText('field').notNull(),
    day: instant('day').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.field, table.day] })],
)
