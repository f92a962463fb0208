import { isNull, sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { type ChainHead, type ChainVerdict, verifyChain } from '../activity-log/hash-chain'
import type { SignedHead } from '../activity-log/signed-head'
import { providerTokens } from '../store/auth-schema'
import { connections, defaultConnectionId, sessions } from '../store/schema'
import { type HeldWork, holdOpenWork } from './hold-open-work'
import { BackupError, type Manifest } from './manifest'
import { restoreFolder } from './restore-folder'
import { restorePostgres } from './restore-postgres'

export type RestoreRequest = {
  /** The folder of the backup. */
  backup: string
  manifest: Manifest
  to: { url: string } | { folder: string }
  migrationsFolder: string
  /** Whether a store that is there is set aside. */
  replace: boolean
  /** Signed heads of the activity log that are kept outside the store. */
  heads: readonly SignedHead[]
  /** Until it is aborted the restore goes on; then it is taken back, and throws its reason. */
  interruption?: AbortSignal | undefined
}

/** `setAside` names the store that was there before; `later` is the last signed head beyond the backup. */
export type Restored = {
  count: number
  head: string
  held: HeldWork
  setAside: string | null
  later: SignedHead | null
}

/** Throws BackupError when a version of Debitdesk made the backup whose schema this one doesn't know. */
function refuseNewer({ schema }: Manifest, migrationsFolder: string): void {
  const known = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis))
  if (schema <= known) return
  throw new BackupError(
    'The backup was made by a newer version of Debitdesk than this one: restore it with that version.',
  )
}

function describeBroken(verdict: Extract<ChainVerdict, { holds: false }>, { activity }: Manifest): string {
  const { sequence, reason } = verdict
  return `The activity log in the backup does not verify: row ${sequence} is ${reason}, of ${activity.sequence}. Nothing was restored.`
}

/** Ends what must not live on, and records the restore, at the end of the log that was verified. */
async function concludeRestore(db: Database, { at, activity }: Manifest): Promise<HeldWork> {
  return db.transaction(async (tx) => {
    // Who signed out, or was signed out, since the backup would be signed in again.
    await tx.update(sessions).set({ endedAt: sql`now()` }).where(isNull(sessions.endedAt))
    await tx.delete(providerTokens)
    await tx.insert(connections).values({ connectionId: defaultConnectionId, name: 'Merchant' }).onConflictDoNothing()
    await appendActivity(tx, {
      connectionId: defaultConnectionId,
      actor: 'command line',
      action: 'setting.restored',
      objectKind: 'setting',
      objectId: 'store',
      details: { backupOf: at, sequence: activity.sequence, hash: activity.hash },
    })
    return holdOpenWork(tx, at)
  })
}

/**
 * Restores a backup into an empty store, or in place of another, and verifies the activity log before it is used: against
 * the head in the backup and the signed heads up to it. Throws BackupError when it doesn't verify, is newer than this
 * program, or would overwrite a store; then nothing was changed.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { manifest, heads, migrationsFolder, to } = request
  refuseNewer(manifest, migrationsFolder)
  const { sequence, hash } = manifest.activity
  const isLater = (head: ChainHead) => head.sequence > sequence
  const known = [...(sequence > 0 ? [{ sequence, hash }] : []), ...heads.filter((head) => !isLater(head))]
  let restored: Pick<Restored, 'count' | 'head' | 'held'> = {
    count: 0,
    head: '',
    held: { bulks: [], imports: [], cancellations: 0 },
  }
  const accept = async ({ db }: OpenDatabase) => {
    const verdict = await verifyChain(db, known)
    if (!verdict.holds) throw new BackupError(describeBroken(verdict, manifest))
    if (verdict.count !== sequence)
      throw new BackupError(
        `The activity log in the backup has ${verdict.count} rows, not ${sequence}. Nothing was restored.`,
      )
    restored = { count: verdict.count, head: verdict.head, held: await concludeRestore(db, manifest) }
  }
  const setAside =
    'url' in to ? await restorePostgres(request, to.url, accept) : await restoreFolder(request, to.folder, accept)
  const later = heads
    .filter(isLater)
    .reduce<SignedHead | null>((last, head) => (last && last.sequence > head.sequence ? last : head), null)
  return { ...restored, setAside, later }
}
