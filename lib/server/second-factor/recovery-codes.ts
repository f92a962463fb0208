import { createHash, randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { Secret } from 'otpauth'
import type { Database } from '@/lib/database/database'
import { recoveryCodes } from '../store/factor-schema'

const COUNT = 10
const BYTES = 10

/** A fast hash suffices for 80 random bits. */
function hashCode(userId: string, code: string): string {
  return createHash('sha256').update(`${userId} ${code}`).digest('base64url')
}

/** As typed: with or without the dashes, in either case. */
const readCode = (typed: string) => typed.toUpperCase().replaceAll(/[^A-Z2-7]/gu, '')

/** Replaces a user's recovery codes with ten new ones, which are returned only here, such as `ABCD-EFGH-IJKL-MNOP`. */
export async function makeRecoveryCodes(tx: Database, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => new Secret({ size: BYTES }).base32)
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ id: randomUUID(), userId, hash: hashCode(userId, code) })))
  return codes.map((code) => (code.match(/.{4}/gu) ?? []).join('-'))
}

/** Uses a recovery code up; false when it is wrong or was used. */
export async function takeRecoveryCode(db: Database, userId: string, typed: string, now: Date): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.hash, hashCode(userId, readCode(typed))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return used.length > 0
}

/** How many of a user's codes are left. */
export function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  return db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
}
