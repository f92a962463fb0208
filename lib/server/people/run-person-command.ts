import { open, rename, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import type { OpenDatabase } from '@/lib/database/database'
import { isUuid } from '@/lib/domain/ids'
import { keptKinds } from '@/lib/domain/kept-kinds'
import { type KeptCounts, personRequest } from '@/lib/domain/people'
import { AppError } from '../runtime/app-error'
import { isArgumentError } from '../runtime/argument-error'
import { describeError } from '../runtime/log'
import { SettingsError } from '../runtime/settings'
import { connections, defaultConnectionId } from '../store/schema'
import { getStore } from '../store/store'
import { countKept, eraseKept, recordExport, writeKept } from './kept'
import { makePerson } from './person'

/** What the store keeps about a person, without the dashboard and without asking the upstream API. */

const usage = `npm run person -- show   --customer ID --name NAME --number NUMBER --address LINE… --id ID…
npm run person -- export --file FILE …   everything that is kept, as JSON
npm run person -- erase  … --yes         erases it; what can't be erased yet is named
--id is the id of a payment or mandate of the person. The provider isn't asked: name all there is to look for.
With several merchants: --merchant ID.`

class PersonCommandError extends Error {}

function parseRequest() {
  const { values, positionals } = parseArgs({
    options: {
      customer: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      number: { type: 'string', default: '' },
      address: { type: 'string', multiple: true, default: [] },
      id: { type: 'string', multiple: true, default: [] },
      merchant: { type: 'string', default: defaultConnectionId },
      file: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  const [action] = positionals
  if (values.help || positionals.length !== 1) throw new PersonCommandError(usage)
  const { customer, name, number, address, id, ...rest } = values
  const read = personRequest.safeParse({
    customer,
    name,
    number,
    addressLine1: '',
    addressLine2: '',
    others: address,
    ids: id,
  })
  if (!read.success) throw new PersonCommandError(usage)
  return { ...rest, action, request: read.data }
}

function describeCounts(counts: KeptCounts): string[] {
  const lines = keptKinds.filter((kind) => counts[kind] > 0).map((kind) => `${kind}  ${counts[kind]}`)
  return lines.length > 0 ? lines : ['nothing that could be erased']
}

/** Throws PersonCommandError for what the file system refuses. */
async function onFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, name } = describeError(error)
    throw new PersonCommandError(
      code === 'EEXIST' ? `${path} exists already.` : `${path} cannot be written (${code ?? name}).`,
    )
  }
}

/** Writes a new file. It is complete or empty: what isn't finished has another name. Of a failure nothing is left. */
async function writeNew(path: string, begin: () => Promise<AsyncIterable<string>>): Promise<void> {
  await onFile(path, async () => (await open(path, 'wx', 0o600)).close())
  const unfinished = `${path}.unfinished`
  const draft = await onFile(unfinished, () => open(unfinished, 'wx', 0o600)).catch(async (error: unknown) => {
    await rm(path, { force: true })
    throw error
  })
  try {
    try {
      for await (const text of await begin()) await onFile(unfinished, () => draft.appendFile(text))
    } finally {
      await draft.close()
    }
    await onFile(path, () => rename(unfinished, path))
  } catch (error) {
    await Promise.all([path, unfinished].map((left) => rm(left, { force: true })))
    throw error
  }
}

async function run(store: OpenDatabase, { action, request, merchant, file, yes }: ReturnType<typeof parseRequest>) {
  const { db } = store
  const [connection] = await db.select().from(connections).where(eq(connections.connectionId, merchant))
  if (!connection) throw new PersonCommandError(`There is no merchant ${merchant}.`)
  const person = makePerson(merchant, request)
  const customerId = isUuid(request.customer) ? request.customer : null
  const actor = 'command line'
  if (action === 'show') {
    const { counts, open } = await countKept(db, person)
    return [...describeCounts(counts), ...open.map(({ kind, id }) => `not yet, still needed by: ${kind} ${id}`)]
  }
  if (action === 'export' && file !== undefined) {
    const head = { merchant, at: new Date().toISOString(), by: actor, searched: person.searched }
    await writeNew(file, async () => {
      await recordExport(db, { connectionId: merchant, customerId, actor })
      return writeKept(db, person, head)
    })
    return [`What is kept is in ${file}.`]
  }
  if (action === 'erase' && yes) {
    const { counts, left } = await eraseKept(store, person, { actor, customerId, expected: null })
    return ['Erased:', ...describeCounts(counts), ...(left > 0 ? [`left, in use meanwhile  ${left}`] : [])]
  }
  throw new PersonCommandError(usage)
}

function explain(error: unknown): string {
  if (error instanceof PersonCommandError || error instanceof DatabaseError) return error.message
  if (error instanceof AppError) {
    const { open } = error.evidence.extensions ?? {}
    return `${error.evidence.detail ?? error.message}${open === undefined ? '' : ` ${JSON.stringify(open)}`}`
  }
  if (error instanceof FolderLockedError)
    return `The desk is running (process ${error.pid}). Stop it first, or use /team/people.`
  if (error instanceof SettingsError) return error.problems.map((problem) => `Setting ${problem}.`).join('\n')
  if (isArgumentError(error)) return usage
  const { code, name } = describeError(error)
  return `The desk’s store cannot be opened (${code ?? name}).`
}

try {
  const request = parseRequest()
  const store = await getStore('must-exist')
  try {
    for (const line of await run(store, request)) process.stdout.write(`${line}\n`)
  } finally {
    await store.close()
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
