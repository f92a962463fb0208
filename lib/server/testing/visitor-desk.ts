import { afterAll, beforeAll, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/open-database'
import { defaultConnectionId } from '../store/default-connection'
import { createUser } from '../users'
import { AuthClient, testOrigin } from './auth-client'
import { setMemoryStore } from './memory-store'

const account = { email: 'ann@example.com', password: 'moss-covered lantern' }

/** A desk in memory with an admin who has signed in, for the tests of a file; its service answers nothing. */
export class VisitorDesk {
  readonly visitor = new AuthClient()
  readonly account = account
  userId = ''
  #store: OpenDatabase | undefined

  constructor() {
    beforeAll(async () => {
      vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      Object.assign(process.env, {
        UPSTREAM_URL: 'http://127.0.0.1:9',
        UPSTREAM_TOKEN: 'a-token-for-tests',
        NEXTAUTH_SECRET: 'a secret for tests that is long enough',
        NEXTAUTH_URL: testOrigin,
      })
      this.#store = await setMemoryStore()
      this.userId = await createUser(this.db, { ...account, role: 'admin', connectionId: defaultConnectionId })
      await this.visitor.signIn(account.email, account.password)
    })
    afterAll(() => this.#store?.close())
  }

  get db(): OpenDatabase['db'] {
    if (!this.#store) throw new Error('the store is not open yet')
    return this.#store.db
  }
}
