import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import { getStore } from './open-store'

/** The desk's store while a request is being answered; throws Failure 'store-unavailable' when it cannot be opened. */
export async function requireStore(): Promise<Database> {
  try {
    return (await getStore()).db
  } catch (cause) {
    throw new Failure('store-unavailable', {}, { cause })
  }
}
