import { open, rename, rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { FolderLockedError } from '@/lib/database/folder-lock'
import type { OpenDatabase } from '@/lib/database/database'
import { isUuid } from '@/lib/domain/ids'
import { keptKinds } from '@/lib/domain/kept-kinds'
import { type KeptCounts, personRequest } from '@/lib/domain/people'
import { AppError } from '../runtime/app-error'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { describeError } from '../runtime/log'
import { getSettings, SettingsError } from '../runtime/settings'
import { explainStoreError } from '../store/explain-store-error'
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

const actions = ['show', 'export', 'erase'] as const

class PersonCommandError extends Error {}

function parseRequest() {
  const { values, positionals } = readCommandLine(usage, {
    options: {
      customer: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      number: { type: 'string', default: '' },
      address: { type: 'string', multiple: true, default: [] },
      id: { type: 'string', multiple: true, default: [] },
      merchant: { type: 'string', default: defaultConnectionId },
      file: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const action = actions.find((one) => one === positionals[0])
  if (!action || positionals.length !== 1)
    throw new CommandLineError('One of these is needed: show, export, erase.', usage)
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
  if (!read.success) throw new CommandLineError('Something to look for is needed, of ordinary length.', usage)
  if (action === 'erase' && !rest.yes) throw new CommandLineError('To erase, --yes is needed.', usage)
  if (action === 'export' && rest.file === undefined) throw new CommandLineError('To export, --file is needed.', usage)
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

async function run(store: OpenDatabase, { action, request, merchant, file }: ReturnType<typeof parseRequest>) {
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
  if (file !== undefined && action === 'export') {
    const head = { merchant, at: new Date().toISOString(), by: actor, searched: person.searched }
    await writeNew(file, async () => {
      await recordExport(db, { connectionId: merchant, customerId, actor })
      return writeKept(db, person, head)
    })
    return [`What is kept is in ${file}.`]
  }
  const { counts, left } = await eraseKept(store, person, { actor, customerId, expected: null })
  return ['Erased:', ...describeCounts(counts), ...(left > 0 ? [`left, in use meanwhile  ${left}`] : [])]
}

function explain(error: unknown): string {
  if (error instanceof PersonCommandError || error instanceof CommandLineError) return error.message
  if (error instanceof AppError) {
    const { open } = error.evidence.extensions ?? {}
    return `${error.evidence.detail ?? error.message}${open === undefined ? '' : ` ${JSON.stringify(open)}`}`
  }
  if (error instanceof FolderLockedError)
    return `The dashboard is running (process ${error.pid}). Stop it first, or use its page “People’s data”.`
  if (error instanceof SettingsError) return error.problems.map((problem) => `Setting ${problem}.`).join('\n')
  return explainStoreError(error, getSettings())
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
