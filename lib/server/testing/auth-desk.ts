import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { OpenDatabase } from '@/lib/database/open-database'
import { settleRefusedSignIns } from '../activity/refused-sign-ins'
import { readSessionFrom, type Session } from '../session'
import { defaultConnectionId } from '../store/default-connection'
import { attempts } from '../store/schema'
import { createUser } from '../users'
import { AuthClient, testOrigin } from './auth-client'
import { setMemoryStore } from './memory-store'

export const testSecret = 'a secret for tests that is long enough'
export const sessionCookie = 'next-auth.session-token'

/** The one account of a test's desk. */
export const supporter = { email: 'support@example.com', password: 'moss-covered lantern' }

/** A desk with one supporter for the tests of a file; guesses are forgotten before each. */
export class AuthDesk {
  #store: OpenDatabase | undefined
  userId = ''

  constructor() {
    beforeAll(async () => {
      process.env.NEXTAUTH_SECRET = testSecret
      process.env.NEXTAUTH_URL = testOrigin
      this.#store = await setMemoryStore()
      this.userId = await this.addUser(supporter.email, 'support')
    })
    beforeEach(async () => {
      await settleRefusedSignIns({ summed: true })
      await this.db.delete(attempts)
    })
    afterAll(() => this.#store?.close())
  }

  get db(): OpenDatabase['db'] {
    if (!this.#store) throw new Error('the desk is not open yet')
    return this.#store.db
  }

  /** Adds an account with the supporter's password. */
  addUser(email: string, role: 'admin' | 'support' | 'viewer'): Promise<string> {
    return createUser(this.db, { email, password: supporter.password, role, connectionId: defaultConnectionId })
  }

  async signIn(email = supporter.email): Promise<AuthClient> {
    const client = new AuthClient()
    const response = await client.signIn(email, supporter.password)
    if (!response.ok) throw new Error(`signing in was answered ${response.status}`)
    return client
  }

  readSession(client: AuthClient): Promise<Session | null> {
    return readSessionFrom(client.cookies.get(sessionCookie))
  }
}
