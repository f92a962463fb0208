import { afterAll, beforeAll, beforeEach } from 'vitest'
import { databaseTime } from '@/lib/database/clock'
import { sendDueMails } from '../mail/outbox'
import { mails } from '../store/mail-schema'
import { AuthDesk, testOrigin } from './auth-fixture'
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server'

/** A desk with a real mail server, for the tests of a file. Mails are sent when a test says so. */
export class MailFixture {
  readonly desk: AuthDesk
  #server: MailServer | undefined

  constructor(options: { password?: string } = {}) {
    // Before the desk's own, for the settings are read once.
    beforeAll(async () => {
      this.#server = await startMailServer(options)
      Object.assign(process.env, {
        SMTP_URL: this.#server.url,
        MAIL_FROM: 'Debitdesk <desk@example.com>',
        NEXTAUTH_URL: testOrigin,
      })
    })
    this.desk = new AuthDesk()
    beforeEach(async () => {
      this.server.received.length = 0
      this.server.refusals.clear()
      await this.desk.db.delete(mails)
    })
    afterAll(() => this.server.close())
  }

  get server(): MailServer {
    if (!this.#server) throw new Error('the mail server is not running yet')
    return this.#server
  }

  /** Sends what is due; `later` makes everything due that waits for another try. Returns what the server took by now. */
  async send({ later = false } = {}): Promise<readonly ReceivedMail[]> {
    if (later) await this.desk.db.update(mails).set({ dueAt: databaseTime() })
    await sendDueMails(this.desk.db)
    return this.server.received
  }
}
