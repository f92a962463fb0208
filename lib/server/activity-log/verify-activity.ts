import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { describeError } from '../runtime/log'
import { getSettings, SettingsError } from '../runtime/settings'
import { findCode } from '../store/explain-store-error'
import { getStore } from '../store/store'
import { HeadsError, readTrustedHeads, type SignedHead, type TrustedHeads } from './signed-head'
import { type ChainHead, type ChainVerdict, verifyChain } from './hash-chain'

/**
 * Verifies the activity log in a process of its own: at DATABASE_URL, else in DATA_DIR, which must not be in use. Exit
 * code 0: every row holds, 1: one does not, 2: it could not be verified.
 */

const USAGE = `Usage: npm run verify-activity -- [--head SEQUENCE:HASH] [--heads FILE]… [--trust KEY]… [--json]
--head is what an earlier run printed: with it, rows cut off at the end are noticed too.
--heads is a file of signed heads, beside the one in DATA_DIR. --trust is a public key that may have signed them: without
it, the dashboard's own (ACTIVITY_KEY, or DATA_DIR/activity.key).`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function readHead(text: string | undefined): ChainHead | undefined {
  if (text === undefined) return undefined
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/u.exec(text.trim()) ?? []
  return hash === undefined ? fail(`--head is not SEQUENCE:HASH.\n${USAGE}`) : { sequence: Number(sequence), hash }
}

function readArguments() {
  try {
    return readCommandLine(USAGE, {
      options: {
        head: { type: 'string' },
        heads: { type: 'string', multiple: true },
        trust: { type: 'string', multiple: true },
        json: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    if (error instanceof CommandLineError) return fail(error.message)
    throw error
  }
}

/** Why nothing could be said of the log. Not what a driver says: it may hold an address with its password. */
function explain(error: unknown): string {
  if (error instanceof SettingsError) return error.lines
  if (error instanceof FolderLockedError)
    return `The dashboard is running on ${error.folder} (process ${error.pid}). Stop it first, then verify.`
  if (error instanceof DatabaseError || error instanceof HeadsError) return error.message
  return `The activity log could not be read (${findCode(error) ?? describeError(error).name}).`
}

const REASONS = {
  missing: 'is missing: it was dropped, or another was put in its place.',
  'not-linked': 'does not follow from the row before it: rows were changed, swapped or put in.',
  altered: 'was changed after it was written.',
  cut: 'is missing: the log went further when that head was printed or signed.',
  replaced: 'is another than when that head was printed or signed: the log was replaced.',
}

const countRows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`

/** What the verification can't say of the rows that a person was erased from. */
function describeErased({ erased, rewritten }: Extract<ChainVerdict, { holds: true }>): string {
  if (erased === 0) return ''
  const before =
    rewritten === 0
      ? ''
      : ` Of these, ${countRows(rewritten)} had no hashes of single texts: what they said before can't be proven, what they say since is recorded in the log.`
  return `, but for texts of people that were erased from ${countRows(erased)}.${before}`
}

function describe(verdict: ChainVerdict): string {
  if (verdict.holds)
    return `${countRows(verdict.count)}, all as they were written${describeErased(verdict) || '.'} Head: ${verdict.count}:${verdict.head}`
  const { sequence, reason, row } = verdict
  const now = row
    ? ` It now reads: ${row.at.toISOString()} ${JSON.stringify(row.actor)} ${row.action} ${row.objectKind} ${JSON.stringify(row.objectId)}.`
    : ''
  return `Row ${sequence} ${REASONS[reason]}${now}`
}

function describeHeads({ heads, unread }: TrustedHeads): string {
  const last = heads.reduce<SignedHead | null>(
    (one, other) => (one && one.sequence > other.sequence ? one : other),
    null,
  )
  const lines = unread === 0 ? '' : ` ${unread} ${unread === 1 ? 'line was' : 'lines were'} no head.`
  if (last === null) return `No signed head to compare with.${lines}`
  return `${heads.length} signed ${heads.length === 1 ? 'head agrees' : 'heads agree'}, the last of row ${last.sequence} at ${last.at}, key ${last.key}.${lines}`
}

/** Forged heads do not stop the verification: adding one to a file must not prevent it. */
function describeForged(forged: readonly SignedHead[]): string[] {
  return [...new Map(forged.map((one) => [one.key, one])).values()].map(
    ({ sequence, key }) =>
      `The head of row ${sequence} with the key ${key} proves nothing: none of the trusted keys signed it as it stands. If that was the dashboard's key before, name it with --trust, and today's too.`,
  )
}

async function verify(): Promise<{ holds: boolean; told: string }> {
  const { head, heads: files, trust, json } = readArguments()
  const known = readHead(head)
  const signed = await readTrustedHeads(getSettings(), { files, trust })
  const store = await getStore('must-exist')
  const verdict = await verifyChain(store.db, [...signed.heads, ...(known ? [known] : [])])
  await store.close()
  const { heads, forged, unread } = signed
  const holds = verdict.holds && forged.length === 0
  const hasHeads = heads.length > 0 || unread > 0
  const text = [
    describe(verdict),
    ...(verdict.holds && hasHeads ? [describeHeads(signed)] : []),
    ...describeForged(forged),
  ].join('\n')
  const record = {
    ...verdict,
    holds,
    signedHeads: heads.length,
    forgedHeads: forged.map(({ sequence, key }) => ({ sequence, key })),
  }
  return { holds, told: json ? JSON.stringify(record) : text }
}

try {
  const { holds, told } = await verify()
  process.stdout.write(`${told}\n`, () => process.exit(holds ? 0 : 1))
} catch (error) {
  fail(explain(error))
}
