import type { OpenDatabase } from '@/lib/database/open-database'
import type { Clock } from './clock'
import type { HandlerSettings } from './handler'
import type { RequestLog } from './request-log'

/** What the running service consists of. */
export type ServiceContext = {
  database: OpenDatabase
  clock: Clock
  settings: HandlerSettings
  log: RequestLog
  /** Told after each committed write, so that what it made due is not waited for. */
  wake: () => void
  /** Told after a commit which subscriptions ended in it. */
  endDeliveries: (webhookIds: readonly string[]) => void
  /** Requests per minute and credential. */
  requestsPerMinute: number
  /** Missing and wrong credentials per minute and address, beyond which the answer is 429. */
  wrongCredentialsPerMinute: number
}
