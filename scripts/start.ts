import './support/end-without-reader.mjs'
import { ensureBuilt } from './support/ensure-built'
import { superviseChildren, startDesk, startService } from './support/servers'
import { checkPort, prepareEnvironment, readSettings } from './support/settings'

// `npm start`: builds the dashboard where that is due, and runs it with the embedded service beside it until it is stopped.
const settings = readSettings()
const { env, token, address, signIns } = prepareEnvironment(settings)
const embedded = !settings.UPSTREAM_URL
await checkPort('PORT', settings.PORT, settings.HOST)
if (embedded) await checkPort('SERVICE_PORT', settings.SERVICE_PORT)
await ensureBuilt()

await superviseChildren(async (children) => {
  if (embedded) {
    await startService({ settings, env, token, children })
  }
  await startDesk({ settings, env, children })
  console.log(`Debitdesk is ready: ${address}`)
  if (settings.UPSTREAM_URL) console.log(`It works with ${new URL(settings.UPSTREAM_URL).origin}.`)
  for (const { role, email, password } of signIns) console.log(`${role}  ${email}  ${password}`)
  if (Number.parseInt(process.versions.node, 10) < 22)
    console.log(`Node ${process.versions.node} gets no security fixes any more: run Debitdesk with Node 24.`)
  console.log('Press Ctrl-C to stop.')
})
process.exit(0)
