import type { Database, OpenDatabase } from '@/lib/database/open-database'
import { Failure } from '../failure'
import { getStore } from './open-store'

/** The desk's own store as it was opened; throws Failure 'store-unavailable' when it cannot be. */
export async function requireOpenStore(): Promise<OpenDatabase> {
  try {
    return await getStore()
  } catch (cause) {
    throw new Failure('store-unavailable', {}, { cause })
  }
}

/** The desk's own store while a request is being answered; throws Failure 'store-unavailable' when it cannot be opened. */
export async function requireStore(): Promise<Database> {
  return (await requireOpenStore()).db
}
