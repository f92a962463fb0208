import { roles } from '@/lib/api-contract/permission'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { getSettings, SettingsError } from '../runtime/settings'
import { explainStoreError } from '../store/explain-store-error'
import { getStore } from '../store/store'
import { readPassword, runUserCommand, UserCommandError, type UserRequest } from './user-command'

const actions = ['add', 'password', 'reset-factor', 'role', 'remove', 'disable', 'enable', 'list'] as const

const usage = `npm run user -- add EMAIL --role ROLE                  a new account; the password is asked for, or read from standard input
npm run user -- password EMAIL                         another password; all sign-ins end
npm run user -- reset-factor EMAIL                     second factors removed; all sign-ins end
npm run user -- role EMAIL --role ROLE                 another role
npm run user -- remove EMAIL                           out of the merchant’s team; the account stays
npm run user -- disable EMAIL | enable EMAIL | list
Roles: ${roles.join(', ')}.
With several merchants: --merchant ID.`

function parseRequest(): UserRequest {
  const { values, positionals } = readCommandLine(usage, {
    options: { role: { type: 'string' }, merchant: { type: 'string' } },
    allowPositionals: true,
  })
  const [given, email, more] = positionals
  const action = actions.find((one) => one === given)
  if (!action)
    throw new CommandLineError(given === undefined ? 'An action is needed.' : `There is no action ${given}.`, usage)
  const extra = action === 'list' ? email : more
  if (extra !== undefined) throw new CommandLineError(`${extra} is one word too many.`, usage)
  return { ...values, action, ...(email !== undefined && { email }) }
}

function explain(error: unknown): string {
  if (error instanceof UserCommandError || error instanceof CommandLineError) return error.message
  if (error instanceof FolderLockedError)
    return `The dashboard is running (process ${error.pid}). Stop it first, or use its page “Team”.`
  if (error instanceof SettingsError) return error.problems.map((problem) => `Setting ${problem}.`).join('\n')
  return explainStoreError(error, getSettings())
}

async function run(request: UserRequest): Promise<void> {
  const store = await getStore(request.action === 'add' ? 'if-empty' : 'must-exist')
  try {
    for (const line of await runUserCommand(store.db, request, readPassword)) process.stdout.write(`${line}\n`)
  } finally {
    await store.close()
  }
}

try {
  await run(parseRequest())
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
