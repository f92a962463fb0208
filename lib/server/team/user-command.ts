import type { ReadStream } from 'node:tty'
import { eq } from 'drizzle-orm'
import { type Role, roles } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { appendActivity, appendUserActivity } from '../activity-log/append'
import { canonicalEmail, changePassword, createUser, endSessionsOf, lockAccount } from '../auth/users'
import { removeAllFactors } from '../second-factor/factors'
import { AppError } from '../runtime/app-error'
import { identities } from '../store/auth-schema'
import { lastSeen } from '../store/factor-schema'
import { connections, defaultConnectionId, memberships, sessions, users } from '../store/schema'
import { closeAccount, endMembership, endRequestsOf, isLeftBehind, lockTeams, startAnew } from './commands'
import { findLastAdminOf } from './last-admin'
import { endPasswordLinks } from './password-links'

/** The parsed command; the password comes from a prompt or standard input, never from an argument. */
export type UserRequest = {
  action: 'add' | 'password' | 'reset-factor' | 'role' | 'remove' | 'disable' | 'enable' | 'list'
  email?: string
  role?: string
  /** The merchant's id; defaults to that of the settings. */
  merchant?: string
}

/** A failed command; `message` is one line for people. */
export class UserCommandError extends Error {}

function parseEmail(given: string | undefined): string {
  const email = canonicalEmail(given ?? '')
  if (!email) throw new UserCommandError(given ? `${given} is not an e-mail address.` : 'Name an e-mail address.')
  return email
}

function parseRole(given: string | undefined): Role {
  const role = roles.find((one) => one === given)
  if (!role) throw new UserCommandError(`Name a role with --role: ${roles.join(', ')}.`)
  return role
}

async function findUser(db: Database, email: string) {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  if (!user) throw new UserCommandError(`There is no account for ${email}.`)
  return user
}

/** Refuses to leave one of the user's merchants, or the given one, without an admin. */
async function requireAnotherAdmin(
  tx: Database,
  user: { id: string; email: string },
  connectionId?: string,
): Promise<void> {
  const merchant = await findLastAdminOf(tx, user.id, connectionId)
  if (merchant)
    throw new UserCommandError(
      `${user.email} is the last admin of ${merchant.name} (${merchant.connectionId}). Add another first.`,
    )
}

async function list(db: Database): Promise<string[]> {
  const rows = await db
    .select({
      email: users.email,
      role: memberships.role,
      merchant: memberships.connectionId,
      disabledAt: users.disabledAt,
      passwordHash: users.passwordHash,
      lastSeenAt: lastSeen,
    })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .groupBy(users.id, memberships.role, memberships.connectionId)
    .orderBy(users.email, memberships.connectionId)
  return rows.map(({ email, role, merchant, disabledAt, passwordHash, lastSeenAt }) => {
    const state = disabledAt ? 'disabled' : passwordHash === null ? 'no password' : 'active'
    const seen = lastSeenAt ? `last seen ${lastSeenAt.toISOString()}` : 'never signed in'
    return [email, role, merchant, state, seen].join('  ')
  })
}

async function logChange(tx: Database, connectionId: string, action: string, email: string): Promise<void> {
  await appendActivity(tx, {
    connectionId,
    actor: 'command line',
    action,
    objectKind: 'user',
    objectId: email,
    details: {},
  })
}

/** Logs a change of the whole account with each merchant that its owner works for. */
async function logAccountChange(tx: Database, user: { id: string; email: string }, action: string): Promise<void> {
  await appendUserActivity(tx, {
    person: { userId: user.id },
    actor: 'command line',
    action,
    objectKind: 'user',
    objectId: user.email,
    details: {},
  })
}

async function change(
  db: Database,
  request: UserRequest,
  askPassword: () => Promise<string>,
  now: Date,
): Promise<string> {
  const email = parseEmail(request.email)
  const connectionId = request.merchant ?? defaultConnectionId
  // The row may be missing before the first start, which sets its name.
  if (connectionId === defaultConnectionId)
    await db.insert(connections).values({ connectionId, name: 'Merchant' }).onConflictDoNothing()
  const [connection] = await db.select().from(connections).where(eq(connections.connectionId, connectionId))
  if (!connection) throw new UserCommandError(`There is no merchant ${connectionId}.`)
  if (connection.removedAt && ['add', 'role', 'remove'].includes(request.action))
    throw new UserCommandError(`The merchant ${connectionId} was removed.`)
  if (request.action === 'add') {
    const role = parseRole(request.role)
    await createUser(db, { email, password: await askPassword(), role, connectionId }, (tx) =>
      logChange(tx, connectionId, 'user.added', email),
    )
    return `${email} may sign in as ${role}.`
  }
  const user = await findUser(db, email)
  if (request.action === 'password') {
    await changePassword(db, user, await askPassword(), now, async (tx) => {
      await endPasswordLinks(tx, user.id, now)
      await logAccountChange(tx, user, 'user.password-set')
    })
    return `The password of ${email} is set; all sign-ins have ended.`
  }
  if (request.action === 'reset-factor') {
    await db.transaction(async (tx) => {
      await endSessionsOf(tx, user.id, now)
      await removeAllFactors(tx, user.id, now)
      await logAccountChange(tx, user, 'user.factor-reset')
    })
    return `The second factors of ${email} are removed; all sign-ins have ended.`
  }
  if (request.action === 'enable') {
    await db.transaction(async (tx) => {
      await tx.update(users).set({ disabledAt: null }).where(eq(users.id, user.id))
      await logAccountChange(tx, user, 'user.enabled')
    })
    return `${email} may sign in again.`
  }
  if (request.action === 'role') {
    const role = parseRole(request.role)
    const isCleared = await db.transaction(async (tx) => {
      await lockTeams(tx)
      await lockAccount(tx, user.id)
      if (role !== 'admin') await requireAnotherAdmin(tx, user, connectionId)
      const isAnew = (await isLeftBehind(tx, user.id)) && (await startAnew(tx, user.id, now))
      await tx
        .insert(memberships)
        .values({ connectionId, userId: user.id, role })
        .onConflictDoUpdate({ target: [memberships.connectionId, memberships.userId], set: { role } })
      if (role !== 'admin') await endRequestsOf(tx, connectionId, user.id)
      if (isAnew) await logChange(tx, connectionId, 'user.access-reset', email)
      await logChange(tx, connectionId, 'user.role-changed', email)
      return isAnew
    })
    const isProvided = (await db.$count(identities, eq(identities.userId, user.id))) > 0
    return [
      `${email} is ${role} at ${connectionId}.`,
      isCleared ? 'The account was in no team: its password and second factors are removed.' : '',
      isCleared && !isProvided ? `Set a password with \`npm run user -- password ${email}\`.` : '',
      user.disabledAt ? `It is disabled until \`npm run user -- enable ${email}\`.` : '',
    ]
      .filter(Boolean)
      .join(' ')
  }
  if (request.action === 'remove') {
    await db.transaction(async (tx) => {
      await lockTeams(tx)
      await requireAnotherAdmin(tx, user, connectionId)
      if (!(await endMembership(tx, connectionId, user.id, now)))
        throw new UserCommandError(`${email} is not in the team of ${connectionId}.`)
      await logChange(tx, connectionId, 'user.removed', email)
    })
    return `${email} is no longer in the team of ${connectionId}.`
  }
  await db.transaction(async (tx) => {
    await lockTeams(tx)
    // Disabling affects all merchants of the account, whichever was named.
    await requireAnotherAdmin(tx, user)
    await closeAccount(tx, user.id, 'desk', now)
    await logAccountChange(tx, user, 'user.disabled')
  })
  return `${email} is disabled; all sign-ins have ended.`
}

/**
 * Runs `npm run user` and returns the lines to print. Throws UserCommandError with one line for people; never creates an
 * account twice or removes a merchant's last admin.
 */
export async function runUserCommand(
  db: Database,
  request: UserRequest,
  askPassword: () => Promise<string>,
  now = new Date(),
): Promise<string[]> {
  try {
    return request.action === 'list' ? await list(db) : [await change(db, request, askPassword, now)]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [field, messages] = Object.entries(error.evidence.errors ?? {})[0] ?? []
    throw new UserCommandError(messages ? `The ${field} ${messages[0]}.` : (error.evidence.detail ?? error.message))
  }
}

const endOfText = '\u0003'
const erase = ['\u007f', '\b']

/** Reads a line from a terminal without echoing it. */
function readHidden(terminal: ReadStream, question: string): Promise<string> {
  process.stderr.write(question)
  terminal.setRawMode(true)
  terminal.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (finish: () => void) => {
      terminal.off('data', take)
      terminal.setRawMode(false)
      terminal.pause()
      process.stderr.write('\n')
      finish()
    }
    function take(data: string | Buffer): void {
      for (const character of data.toString()) {
        if (character === endOfText) return end(() => reject(new UserCommandError('Nothing was changed.')))
        if (character === '\r' || character === '\n') return end(() => resolve(typed))
        typed = erase.includes(character) ? Array.from(typed).slice(0, -1).join('') : typed + character
      }
    }
    terminal.on('data', take)
  })
}

async function readPiped(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > 10_000) throw new UserCommandError('That is too long for a password.')
  }
  // A trailing line break is not part of the password.
  return text.replace(/\r?\n$/u, '')
}

/** The password: typed twice at a terminal, else all of standard input. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readPiped()
  const first = await readHidden(process.stdin, 'New password: ')
  const second = await readHidden(process.stdin, 'Once more: ')
  if (first !== second) throw new UserCommandError('The two are not the same. Nothing was changed.')
  return first
}
