import type { ChangeEvent } from '@/lib/domain/changes'
import { liveChanges } from '../live-changes'

/**
 * Makes this page follow what another tab of the browser hears, as where that tab is connected. `name`: of the page's
 * user and merchant.
 */
export function followOtherTab(name: string): { tell: (event: ChangeEvent) => void; stop: () => void } {
  Object.defineProperty(navigator, 'locks', {
    value: { request: () => new Promise(() => undefined) },
    configurable: true,
  })
  const end = liveChanges.start(name)
  const channel = new BroadcastChannel(`debitdesk-changes ${name}`)
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels of an origin have none
    tell: (event) => channel.postMessage({ type: 'event', event }),
    stop: () => {
      end()
      channel.close()
    },
  }
}
