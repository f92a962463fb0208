import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { verifyPassword } from '../auth/passwords'
import { canonicalEmail, changePassword, createUser, disableUser } from '../auth/users'
import { connections, defaultConnectionId, memberships, users } from '../store/schema'
import { AppError } from './app-error'
import { type Settings, SettingsError } from './settings'

const durabilitySettings = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * The settings of a Postgres that are switched off although durability needs them: without them a power cut may lose
 * acknowledged changes (ST-03). Empty when all are on.
 */
export async function findUnsafeDatabaseSettings(db: Database): Promise<string[]> {
  const settings = sql`pg_settings`
  const rows = await db
    .select({ name: sql<string>`name` })
    .from(settings)
    .where(sql`name in ${durabilitySettings} and setting = 'off'`)
    .orderBy(sql`name`)
  return rows.map(({ name }) => name)
}

type PrepareSettings = Pick<Settings, 'OIDC_ISSUER' | 'DESK_ADMIN_EMAIL' | 'DESK_ADMIN_PASSWORD' | 'DEMO_SIGN_INS'>
type SignIn = { role: Role; email: string; password: string }

async function writeConnection(db: Database, name: string): Promise<void> {
  await db
    .insert(connections)
    .values({ connectionId: defaultConnectionId, name })
    .onConflictDoUpdate({ target: connections.connectionId, set: { name } })
}

/** An arbitrary constant, the same in every process. */
const FIRST_ADMIN_LOCK_ID = 4_217_004

async function createFirstAdmin(db: Database, email: string, password: string): Promise<void> {
  try {
    await createUser(db, { email, password, role: 'admin', connectionId: defaultConnectionId })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { errors } = error.evidence
    if (errors?.password) throw new SettingsError([`DESK_ADMIN_PASSWORD ${errors.password[0]}`])
    if (errors?.email) throw new SettingsError([`DESK_ADMIN_EMAIL ${errors.email[0]}`])
    throw new SettingsError(['DESK_ADMIN_EMAIL belongs to a demo sign-in: choose another'])
  }
}

/** Creates or updates a demo sign-in with the printed password; a person's account is never touched. */
async function updateDemoSignIn(db: Database, { role, email, password }: SignIn, now: Date): Promise<void> {
  const [known] = await db
    .select()
    .from(users)
    .where(eq(users.email, canonicalEmail(email) ?? ''))
  if (!known) {
    await createUser(db, { email, password, role, connectionId: defaultConnectionId, demo: true })
    return
  }
  if (!known.demo) return
  await db.update(users).set({ disabledAt: null }).where(eq(users.id, known.id))
  await db
    .insert(memberships)
    .values({ connectionId: defaultConnectionId, userId: known.id, role })
    .onConflictDoUpdate({ target: [memberships.connectionId, memberships.userId], set: { role } })
  if (!(await verifyPassword(known.passwordHash, password))) await changePassword(db, known, password, now)
}

async function disableDemoSignIns(db: Database, now: Date): Promise<void> {
  const open = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.demo, true), isNull(users.disabledAt)))
  for (const { id } of open) await disableUser(db, id, now)
}

/**
 * Prepares the store at every start: the connection's row, the first admin while nobody else exists, and the demo
 * sign-ins, which are disabled without DEMO_SIGN_INS (SE-21). Throws SettingsError when nobody could sign in.
 */
export async function prepareStore(
  db: Database,
  { settings, connectionName, now }: { settings: PrepareSettings; connectionName: string; now: Date },
): Promise<void> {
  const { DESK_ADMIN_EMAIL, DESK_ADMIN_PASSWORD, DEMO_SIGN_INS = [] } = settings
  await writeConnection(db, connectionName)
  await db.transaction(async (tx) => {
    // Two desks may start at once on an empty store.
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK_ID})`)
    // Without the demo sign-ins.
    const people = await tx.$count(users, eq(users.demo, false))
    if (people === 0 && DESK_ADMIN_EMAIL && DESK_ADMIN_PASSWORD) {
      await createFirstAdmin(tx, DESK_ADMIN_EMAIL, DESK_ADMIN_PASSWORD)
    } else if (people === 0 && DEMO_SIGN_INS.length === 0 && !settings.OIDC_ISSUER) {
      throw new SettingsError(['DESK_ADMIN_EMAIL is needed, with DESK_ADMIN_PASSWORD: the store has no user yet'])
    }
  })
  for (const signIn of DEMO_SIGN_INS) await updateDemoSignIn(db, signIn, now)
  if (DEMO_SIGN_INS.length === 0) await disableDemoSignIns(db, now)
}
