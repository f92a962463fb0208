import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type SQL, sql } from 'drizzle-orm'
import { identities } from '../store/provider-schema'

/** Whether an account comes from an OpenID provider: it then needs no password here. */
export function providesAccount(userId: AnyPgColumn): SQL<boolean> {
  return sql<boolean>`exists (select 1 from ${identities} where ${identities.userId} = ${userId})`
}
