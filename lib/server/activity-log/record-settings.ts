import { createHmac } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { listSecrets, type Settings } from '../runtime/settings'
import { activity } from '../store/schema'
import { appendActivity, boundDetails } from './append'
import { writeCanonicalJson } from './hash-chain'

const action = 'setting.changed'

/** May be told as they are; of all others, secrets among them, only whether they are set. A new setting is a secret until it stands here. */
const plain: readonly (keyof Settings)[] = [
  'UPSTREAM_AUTH',
  'UPSTREAM_HEADER',
  'UPSTREAM_AMOUNTS',
  'UPSTREAM_CANCELLABLE',
  'UPSTREAM_CANCELLED',
  'UPSTREAM_FINAL',
  'CANCEL_GRACE',
  'CANCEL_VELOCITY',
  'SCHEME_ZONE',
  'CANCEL_CUTOFF',
  'ACTIVITY_HEADS_EVERY',
  'KEEP_BULKS',
  'KEEP_IMPORTS',
  'KEEP_EXPORTS',
  'BREACHED_PASSWORDS_URL',
  'PORT',
  'SERVICE_PORT',
  'NEXTAUTH_URL',
  'DESK_ADMIN_EMAIL',
  'SEED_PAYMENTS',
  'HSTS_SUBDOMAINS',
]

/** A keyed hash of each setting, so that a change of a secret shows and its value cannot be guessed from the log. */
function hashSettings(settings: Settings, key: string): Record<string, string> {
  const hash = (value: unknown) =>
    createHmac('sha256', key)
      .update(writeCanonicalJson(boundDetails(value)))
      .digest('hex')
      .slice(0, 16)
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, hash(value)]))
}

function tellSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, plain.some((known) => known === name) ? value : '(set)']),
  )
}

function readHashes(details: unknown): Record<string, unknown> {
  const { hashes }: { hashes?: unknown } = typeof details === 'object' && details !== null ? details : {}
  return typeof hashes === 'object' && hashes !== null ? { ...hashes } : {}
}

/** Writes down with which settings the desk starts, where they are not those of its last start, and which changed. */
export async function recordSettings(db: Database, connectionId: string, settings: Settings): Promise<void> {
  const hashes = hashSettings(settings, settings.NEXTAUTH_SECRET ?? '')
  // Under a new secret each hash is another: those under the one before tell what else was changed.
  const known = listSecrets(settings).map((key) => hashSettings(settings, key))
  await db.transaction(async (tx) => {
    const [last] = await tx
      .select({ details: activity.details })
      .from(activity)
      .where(
        and(eq(activity.connectionId, connectionId), eq(activity.objectKind, 'setting'), eq(activity.action, action)),
      )
      .orderBy(desc(activity.sequence))
      .limit(1)
    const before = readHashes(last?.details)
    const names = new Set([...Object.keys(before), ...Object.keys(hashes)])
    const changed = [...names].filter((name) => known.every((one) => before[name] !== one[name])).toSorted()
    if (changed.length === 0) return
    const details = { changed: last ? changed : undefined, settings: tellSettings(settings), hashes }
    await appendActivity(tx, { connectionId, actor: 'desk', action, objectKind: 'setting', objectId: 'desk', details })
  })
}
