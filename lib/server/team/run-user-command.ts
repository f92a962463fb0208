import { parseArgs } from 'node:util'
import { roles } from '@/lib/api-contract/permission'
import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { isArgumentError } from '../runtime/argument-error'
import { describeError } from '../runtime/log'
import { SettingsError } from '../runtime/settings'
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

/** The parsed command line; null when help is requested. */
function parseRequest(): UserRequest | null {
  const {
    values: { help, ...values },
    positionals,
  } = parseArgs({
    options: { role: { type: 'string' }, merchant: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  if (help) return null
  const action = actions.find((one) => one === positionals[0])
  if (!action || positionals.length > 2) throw new UserCommandError(usage)
  return { ...values, action, ...(positionals[1] !== undefined && { email: positionals[1] }) }
}

function explain(error: unknown): string {
  if (error instanceof UserCommandError) return error.message
  if (error instanceof FolderLockedError)
    return `The desk is running (process ${error.pid}). Stop it first, or use /team.`
  if (error instanceof DatabaseError) return error.message
  if (error instanceof SettingsError) return error.problems.map((problem) => `Setting ${problem}.`).join('\n')
  if (isArgumentError(error)) return usage
  const { code, name } = describeError(error)
  return `The desk’s store cannot be opened (${code ?? name}).`
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
  const request = parseRequest()
  if (request === null) process.stdout.write(`${usage}\n`)
  else await run(request)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
