import './support/end-without-reader.mjs'
import { superviseChildren, startDesk, startService } from './support/servers'
import { checkPort, prepareEnvironment, readSettings } from './support/settings'

// `npm run dev`: the dashboard in development mode, with the embedded service beside it.
const settings = readSettings()
const { env, token, address, signIns } = prepareEnvironment(settings)
const embedded = !settings.UPSTREAM_URL
await checkPort('PORT', settings.PORT, settings.HOST)
if (embedded) await checkPort('SERVICE_PORT', settings.SERVICE_PORT)

await superviseChildren(async (children) => {
  if (embedded) await startService({ settings, env, token, live: true, children })
  await startDesk({ settings, env, isDevelopment: true, live: true, children })
  console.log(`Debitdesk in development: ${address}`)
  for (const { role, email, password } of signIns) console.log(`${role}  ${email}  ${password}`)
})
process.exit(0)
