import './support/end-without-reader.mjs'
import { superviseChildren, startService } from './support/servers'
import { checkPort, prepareEnvironment, readSettings } from './support/settings'

// `npm run service`: the embedded service alone.
const settings = readSettings()
const { env, token } = prepareEnvironment(settings)
await checkPort('SERVICE_PORT', settings.SERVICE_PORT)
await superviseChildren(async (children) => {
  await startService({ settings, env, token, children })
  console.log(`The direct-debit service is ready: http://127.0.0.1:${settings.SERVICE_PORT}`)
  console.log(`token  ${token}`)
  console.log('Press Ctrl-C to stop.')
})
process.exit(0)
