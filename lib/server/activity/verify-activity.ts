import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { closeDataFolder } from '@/lib/database/data-folder'
import { DatabaseRefusal } from '@/lib/database/database-refusal'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { openDatabase } from '@/lib/database/open-database'
import { parseSettings, SettingsError } from '../settings'
import { storeMigrations } from '../store/open-store'
import { type ChainHead, type ChainVerdict, verifyChain } from './verify-chain'

/*
 * Verifies the activity log as a process of its own: of the store at DATABASE_URL, else of the one in
 * DATA_DIR, which must not be in use. Exit code 0: every row holds, 1: one does not, 2: it could not be looked at.
 */

const usage = `Usage: npm run verify-activity -- [--head SEQUENCE:HASH] [--json]
--head is what an earlier run printed: with it, rows cut off at the end are noticed too.`

function refuse(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function readHead(text: string | undefined): ChainHead | undefined {
  if (text === undefined) return undefined
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/u.exec(text.trim()) ?? []
  return hash === undefined ? refuse(`--head is not SEQUENCE:HASH.\n${usage}`) : { sequence: Number(sequence), hash }
}

function readArguments() {
  try {
    return parseArgs({ options: { head: { type: 'string' }, json: { type: 'boolean' } } }).values
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : 'The arguments were not understood.'}\n${usage}`)
  }
}

function readStore(): { url: string } | { folder: string } {
  try {
    const { DATABASE_URL, DATA_DIR } = parseSettings(process.env)
    if (DATABASE_URL) return { url: DATABASE_URL }
    closeDataFolder(DATA_DIR)
    return { folder: join(DATA_DIR, 'desk') }
  } catch (error) {
    if (error instanceof SettingsError) return refuse(error.problems.map((problem) => `Setting ${problem}.`).join('\n'))
    if (error instanceof DatabaseRefusal) return refuse(error.message)
    throw error
  }
}

function openStore() {
  return openDatabase({ ...readStore(), migrationsFolder: storeMigrations }).catch((error: unknown) =>
    error instanceof FolderLockedError
      ? refuse(`The desk is running on ${error.folder} (process ${error.pid}). Stop it first, then verify.`)
      : refuse(`The store could not be opened (${error instanceof Error ? error.name : 'unknown'}).`),
  )
}

const reasons = {
  missing: 'is missing: it was dropped, or another was put in its place.',
  'not-linked': 'does not follow from the row before it: rows were changed, swapped or put in.',
  altered: 'was changed after it was written.',
  cut: 'is missing: the log went further when that head was printed.',
  replaced: 'is another than when that head was printed: the log was replaced.',
}

function describe(verdict: ChainVerdict): string {
  if (verdict.holds)
    return `${verdict.count} ${verdict.count === 1 ? 'row' : 'rows'}, all as they were written. Head: ${verdict.count}:${verdict.head}`
  const { sequence, reason, row } = verdict
  const now = row
    ? ` It now reads: ${row.at.toISOString()} ${JSON.stringify(row.actor)} ${row.action} ${row.objectKind} ${JSON.stringify(row.objectId)}.`
    : ''
  return `Row ${sequence} ${reasons[reason]}${now}`
}

const { head, json } = readArguments()
const known = readHead(head)
const store = await openStore()
const verdict = await verifyChain(store.db, known)
await store.close()
process.stdout.write(`${json ? JSON.stringify(verdict) : describe(verdict)}\n`, () =>
  process.exit(verdict.holds ? 0 : 1),
)
