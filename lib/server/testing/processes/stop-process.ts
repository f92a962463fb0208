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
 * A desk without pages: each request's body is a dialog's request. Prints its port when ready. Its argument is the time it
 * has to finish its work, in milliseconds.
 */

stopOnSignals(Number(process.argv[2]))
const { db } = await getStore()
await prepareStore(db, { settings: getSettings(), connectionName: 'Test', now: new Date() })
await startMerchantWorkers()

/** Submits a dialog's request; an empty body only checks that the desk responds. */
async function cancel(request: IncomingMessage): Promise<unknown> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  if (body === '') return {}
  const ledger = await openLedger(defaultConnectionId)
  return (await requestCancellation(ledger, makeActor(), JSON.parse(body))).cancellation
}

const { server, retire, drain } = createDeskServer({
  handle: async (request, response) => {
    response.end(JSON.stringify(await cancel(request)))
  },
  trustedProxies: { hops: 0 },
  maxConnections: 100,
  keepAlive: 5_000,
})
registerServer({ retire, drain })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
