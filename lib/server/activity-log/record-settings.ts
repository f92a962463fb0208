import { createHmac } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { listSecrets, type Settings } from '../runtime/settings'
import { activity } from '../store/schema'
import { appendActivity, boundDetails } from './append'
import { writeCanonicalJson } from './canonical-json'

const ACTION = 'setting.changed'

/** Settings whose value may be logged. Of all others, including new ones, only whether they are set. */
const LOGGABLE_SETTINGS: readonly (keyof Settings)[] = [
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
  'MAIL_FROM',
  'HOST',
  'PORT',
  'SERVICE_PORT',
  'NEXTAUTH_URL',
  'DESK_ADMIN_EMAIL',
  'SEED_PAYMENTS',
  'HSTS_SUBDOMAINS',
]

/** Keyed hashes show that a secret changed without making its value guessable from the log. */
function hashSettings(settings: Settings, key: string): Record<string, string> {
  const hash = (value: unknown) =>
    createHmac('sha256', key)
      .update(writeCanonicalJson(boundDetails(value)))
      .digest('hex')
      .slice(0, 16)
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, hash(value)]))
}

function describeSettings(settings: Settings): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, LOGGABLE_SETTINGS.some((known) => known === name) ? value : '(set)']),
  )
}

function readHashes(details: unknown): Record<string, unknown> {
  const { hashes }: { hashes?: unknown } = typeof details === 'object' && details !== null ? details : {}
  return typeof hashes === 'object' && hashes !== null ? { ...hashes } : {}
}

/** Records the settings at startup, and which of them changed since the last one, if any did. */
export async function recordSettings(db: Database, connectionId: string, settings: Settings): Promise<void> {
  const hashes = hashSettings(settings, settings.NEXTAUTH_SECRET ?? '')
  // A new secret changes every hash; those under earlier secrets show what else changed.
  const knownHashes = listSecrets(settings).map((key) => hashSettings(settings, key))
  await db.transaction(async (tx) => {
    const [last] = await tx
      .select({ details: activity.details })
      .from(activity)
      .where(
        and(eq(activity.connectionId, connectionId), eq(activity.objectKind, 'setting'), eq(activity.action, ACTION)),
      )
      .orderBy(desc(activity.sequence))
      .limit(1)
    const before = readHashes(last?.details)
    const names = new Set([...Object.keys(before), ...Object.keys(hashes)])
    const changed = [...names].filter((name) => knownHashes.every((one) => before[name] !== one[name])).toSorted()
    if (changed.length === 0) return
    const details = { changed: last ? changed : undefined, settings: describeSettings(settings), hashes }
    await appendActivity(tx, {
      connectionId,
      actor: 'desk',
      action: ACTION,
      objectKind: 'setting',
      objectId: 'desk',
      details,
    })
  })
}
