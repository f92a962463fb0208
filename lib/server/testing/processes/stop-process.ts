import type { IncomingMessage } from 'node:http'
import { openLedger } from '../../cancellations/open-ledger'
import { requestCancellation } from '../../cancellations/request-cancellation'
import { startMerchantWorkers } from '../../runtime/merchant-workers'
import { createDeskServer } from '../../http/desk-server'
import { registerServer } from '../../http/registered-server'
import { prepareStore } from '../../runtime/initial-data'
import { getSettings } from '../../runtime/settings'
import { stopOnSignals } from '../../runtime/stop'
import { defaultConnectionId } from '../../store/schema'
import { getStore } from '../../store/store'
import { makeActor } from '../test-ledger'

/*
 * A desk without its pages: each request's body is what a dialog sends. Prints its port once it is ready. Its
 * argument is how long it may finish what it is at, in milliseconds.
 */

stopOnSignals(Number(process.argv[2]))
const { db } = await getStore()
await prepareStore(db, { settings: getSettings(), connectionName: 'Test', now: new Date() })
await startMerchantWorkers()

/** Passes on what a dialog sends; an empty body only asks whether anybody is there. */
async function cancel(request: IncomingMessage): Promise<unknown> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  if (body === '') return {}
  const ledger = await openLedger(defaultConnectionId)
  return (await requestCancellation(ledger, makeActor(), JSON.parse(body))).cancellation
}

const { server, drain } = createDeskServer({
  handle: async (request, response) => {
    response.end(JSON.stringify(await cancel(request)))
  },
  trustedProxies: { hops: 0 },
  maxConnections: 100,
  keepAlive: 5_000,
})
registerServer({ drain })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
