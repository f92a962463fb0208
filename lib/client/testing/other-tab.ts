import type { ChangeEvent } from '@/lib/domain/changes'
import { liveChanges } from '../live-changes'

/**
 * Makes this page follow what another tab of the browser hears, as where that tab is connected. `name`: of the page's
 * user and merchant.
 */
export function followOtherTab(name: string): {
  tell: (event: ChangeEvent) => void
  /** The other tab's connection is lost; what it tells next is after a gap. */
  lose: () => void
  stop: () => void
} {
  Object.defineProperty(navigator, 'locks', {
    value: { request: () => new Promise(() => undefined) },
    configurable: true,
  })
  const end = liveChanges.start(name)
  const channel = new BroadcastChannel(`debitdesk-changes ${name}`)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels of an origin have none
  const post = (message: object) => channel.postMessage(message)
  return {
    tell: (event) => post({ type: 'event', event }),
    lose: () => post({ type: 'lost' }),
    stop: () => {
      end()
      channel.close()
    },
  }
}
