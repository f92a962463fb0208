import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'
import type { Database } from '@/lib/database/database'
import type { TotpSetup } from '@/lib/domain/second-factor'
import { AppError } from '../runtime/app-error'
import { decryptSecret, encryptSecret } from '../store/encryption'
import { authenticators } from '../store/factor-schema'
import * as m from '@/lib/messages/m'

/** RFC 6238 as every app knows it: SHA-1, six digits, a new code every 30 seconds. */
const PERIOD_S = 30
/** Time steps by which an app's clock may be off. */
const MAX_DRIFT = 1

/** What an app's secret is encrypted for. */
export const totpPurpose = (userId: string) => `totp of ${userId}`

function makeTotp(secret: Secret, email: string): TOTP {
  return new TOTP({ issuer: 'Debitdesk', label: email, secret, algorithm: 'SHA1', digits: 6, period: PERIOD_S })
}

/** A QR code as the path of an SVG, a unit per module. */
function drawQrCode(text: string): TotpSetup['qrCode'] {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return { size, path }
}

/** Begins to add an app: its secret counts once `confirmTotp` has seen a code. Replaces one that was not confirmed. */
export async function beginTotp(db: Database, user: { id: string; email: string }, now: Date): Promise<TotpSetup> {
  const secret = new Secret({ size: 20 })
  const id = randomUUID()
  await db.transaction(async (tx) => {
    await tx.delete(authenticators).where(and(eq(authenticators.userId, user.id), isNull(authenticators.confirmedAt)))
    await tx.insert(authenticators).values({
      id,
      userId: user.id,
      kind: 'totp',
      name: '',
      secret: encryptSecret(secret.base32, totpPurpose(user.id)),
      createdAt: now,
    })
  })
  return { authenticatorId: id, secret: secret.base32, qrCode: drawQrCode(makeTotp(secret, user.email).toString()) }
}

type App = typeof authenticators.$inferSelect

/** The time step of a code that is right now, or up to one step off; null for a wrong one. */
function findStep(app: App, code: string, now: Date): number | null {
  const secret = app.secret === null ? null : decryptSecret(app.secret, totpPurpose(app.userId))
  if (secret === null || !/^\d{6}$/u.test(code)) return null
  const totp = makeTotp(Secret.fromBase32(secret), '')
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: MAX_DRIFT })
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / PERIOD_S) + delta
}

/** Takes a time step; false when this code or a later one was taken before, also by another desk. */
async function takeStep(db: Database, app: App, step: number, now: Date): Promise<boolean> {
  const taken = await db
    .update(authenticators)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(eq(authenticators.id, app.id), or(isNull(authenticators.lastStep), lt(authenticators.lastStep, step))))
    .returning({ id: authenticators.id })
  return taken.length > 0
}

/** Whether a code is right for one of the user's apps. Each is accepted once. */
export async function verifyTotp(db: Database, userId: string, code: string, now: Date): Promise<boolean> {
  const apps = await db
    .select()
    .from(authenticators)
    .where(
      and(eq(authenticators.userId, userId), eq(authenticators.kind, 'totp'), isNotNull(authenticators.confirmedAt)),
    )
  for (const app of apps) {
    const step = findStep(app, code, now)
    if (step !== null) return takeStep(db, app, step, now)
  }
  return false
}

/** Adds the app that was begun if the code is right; false if not. Throws AppError 'conflict' when another was begun since. */
export async function confirmTotp(
  tx: Database,
  userId: string,
  { authenticatorId, name, code }: { authenticatorId: string; name: string; code: string },
  now: Date,
): Promise<boolean> {
  const [app] = await tx
    .select()
    .from(authenticators)
    .where(
      and(
        eq(authenticators.id, authenticatorId),
        eq(authenticators.userId, userId),
        eq(authenticators.kind, 'totp'),
        isNull(authenticators.confirmedAt),
      ),
    )
  if (!app) throw new AppError('conflict', { detail: m.secondFactor_setupIsOver() })
  const step = findStep(app, code, now)
  if (step === null || !(await takeStep(tx, app, step, now))) return false
  await tx.update(authenticators).set({ name, confirmedAt: now }).where(eq(authenticators.id, app.id))
  return true
}
