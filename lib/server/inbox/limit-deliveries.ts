import { Failure } from '../failure'

const most = 240
const window = 60_000

declare global {
  /** When each of the latest deliveries of a connection came, in milliseconds; one per process. */
  var debitdeskDeliveries: Map<string, number[]> | undefined
}

/** Takes at most 240 deliveries a minute per connection. Throws Failure 'too-many-attempts', upon which a sender tries again. */
export function limitDeliveries(connectionId: string, now = Date.now()): void {
  globalThis.debitdeskDeliveries ??= new Map()
  const recent = (globalThis.debitdeskDeliveries.get(connectionId) ?? []).filter((at) => at > now - window)
  if (recent.length >= most) {
    globalThis.debitdeskDeliveries.set(connectionId, recent)
    throw new Failure('too-many-attempts', { retryAfter: Math.ceil(((recent[0] ?? now) + window - now) / 1_000) })
  }
  globalThis.debitdeskDeliveries.set(connectionId, [...recent, now])
}
