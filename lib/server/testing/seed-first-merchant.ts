import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '@/lib/database/open-database'
import { hashPassword } from '../password'
import { bulkRows, bulks } from '../store/bulk-schema'
import { defaultConnectionId } from '../store/default-connection'
import { listExportParts, listExports } from '../store/export-schema'
import { customerImportRows, customerImports } from '../store/import-schema'
import { agreements, cancellations, memberships, sessions, users } from '../store/schema'
import { savedViews } from '../store/view-schema'
import { canary, theirs } from './two-merchants'

const first = { connectionId: defaultConnectionId }

/** An admin of the first merchant, whose own id is `theirs`, with a sign-in and an export of that id. */
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
  await db.insert(listExportParts).values({ exportId: theirs, part: 0, text: canary })
}

/** One of everything that the first merchant can have, each with the id `theirs` and the canary in it. */
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
  const source = { kind: 'list', name: canary } as const
  await db.insert(bulks).values({ ...made, userEmail: canary, source, state: 'ready', count: 1 })
  const row = { position: 0, given: canary, verdict: 'cancellable' } as const
  await db.insert(bulkRows).values({ ...first, bulkId: theirs, ...row })
}
