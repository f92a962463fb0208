import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '@/lib/database/database'
import { hashPassword } from '../auth/passwords'
import { apiTokens } from '../store/api-token-schema'
import { bulkRows, bulks } from '../store/bulk-schema'
import { exportSchedules, listExportParts, listExports } from '../store/export-schema'
import { customerImportRows, customerImports } from '../store/import-schema'
import { notes } from '../store/note-schema'
import { savedViews } from '../store/saved-view-schema'
import { agreements, cancellations, defaultConnectionId, memberships, sessions, users } from '../store/schema'

/** The id of all the first merchant's records, and a text that only they contain. */
export const theirs = '7d9f1c1e-5a0b-4c57-9a55-0f3c1a2b3c4d'
export const canary = 'only-the-first-merchant'
export const tokens = { first: 'token-of-the-first', second: 'token-of-the-second' }

export const asBasic = (token: string) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`
const record = {
  id: theirs,
  name: canary,
  handle: canary,
  reference: canary,
  status: 'Pending',
  amount: 1,
  currency: 'DKK',
}

/** The replies of a service with two merchants: the records of one don't exist for the other. */
export function answerAsTwo(path: string, authorization: string | undefined) {
  const isFirst = authorization === asBasic(tokens.first)
  if (!isFirst && authorization !== asBasic(tokens.second)) return { status: 401, body: '{}' }
  const isList = /^\/(?:Payments|Customers|Customers\/mandates)(?:\?|$)/u.test(path)
  if (isList) return { body: JSON.stringify({ results: isFirst ? [record] : [], hasMore: false }) }
  if (path.includes(theirs) && isFirst) return { body: JSON.stringify(record) }
  if (/[\da-f-]{36}/u.test(path)) return { status: 404, body: '{}' }
  return { body: JSON.stringify(isFirst ? { name: canary } : { name: 'second' }) }
}

const first = { connectionId: defaultConnectionId }

/** Adds an admin of the first merchant with the id `theirs`, a sign-in and an export with that id. */
export async function addFirstAdmin(db: Database, email: string, password: string): Promise<void> {
  await db.insert(users).values({ id: theirs, email, passwordHash: await hashPassword(password) })
  await db.insert(memberships).values({ ...first, userId: theirs, role: 'admin' })
  await db.insert(sessions).values({ id: theirs, userId: theirs, peer: canary, browser: canary })
  const query = { list: 'listPayments', asked: null, rest: null, order: null } as const
  await db.insert(listExports).values({
    ...first,
    id: theirs,
    userId: theirs,
    startedBy: canary,
    query: { ...query, filters: { canary }, columns: [canary], zone: 'UTC' },
    state: 'complete',
    parts: 1,
    bytes: Buffer.byteLength(`\uFEFF${canary}`),
    sha256: createHash('sha256').update(canary).digest('hex'),
  })
  await db.insert(exportSchedules).values({
    ...first,
    id: theirs,
    userId: theirs,
    query: { ...query, filters: { canary }, columns: [canary], zone: 'UTC' },
    moving: [],
    times: { rhythm: 'daily', day: 1, hour: 7 },
    language: 'en',
    nextAt: new Date(Date.now() + 86_400_000),
  })
  await db.insert(listExportParts).values({ exportId: theirs, part: 0, text: canary })
}

/** Adds one of each kind of record to the first merchant, with the id `theirs` and the canary. */
export async function seedFirstMerchant(db: Database): Promise<void> {
  const made = { ...first, id: theirs, userId: theirs }
  await db.insert(cancellations).values({
    ...made,
    paymentId: theirs,
    clientKey: randomUUID(),
    userEmail: canary,
    reason: canary,
    state: 'cancelled',
    closedAt: new Date(),
  })
  const file = { fileHash: 'f', fileName: canary, startedBy: canary, state: 'stopped' } as const
  await db.insert(customerImports).values({ ...first, id: theirs, ...file })
  await db.insert(customerImportRows).values({ ...first, importId: theirs, line: 2, body: { name: canary } })
  await db.insert(agreements).values({ ...first, agreementId: theirs, source: 'made', rememberedBy: canary })
  const view = { list: 'payments', name: canary, query: '', isShared: true, savedBy: canary }
  await db.insert(savedViews).values({ ...made, ...view })
  const note = { objectKind: 'payment', objectId: theirs, objectName: canary, text: canary } as const
  const people = { authorId: theirs, author: canary, assigneeId: theirs, assignee: canary }
  await db.insert(notes).values({ ...first, id: theirs, ...note, ...people })
  const token = { role: 'admin', prefix: `dd_${canary}`, hash: canary, withFactor: false } as const
  const lifetime = { createdAt: new Date(), expiresAt: new Date(2 ** 42) }
  await db.insert(apiTokens).values({ ...made, name: canary, ...token, ...lifetime })
  const source = { kind: 'list', name: canary } as const
  await db.insert(bulks).values({ ...made, userEmail: canary, source, state: 'ready', count: 1 })
  const row = { position: 0, given: canary, verdict: 'cancellable' } as const
  await db.insert(bulkRows).values({ ...first, bulkId: theirs, ...row })
}
