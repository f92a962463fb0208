import { runCommand } from './command-failure.mjs'
import { checkPort } from './check-port.mjs'
import './end-without-reader.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { holdChildren } from './hold-children.mjs'
import { prepareEnvironment } from './prepare-environment.mjs'
import { readSettings } from './read-settings.mjs'
import { startService } from './start-service.mjs'

await runCommand(async () => {
  await ensureInstalled()
  const settings = await readSettings()
  const { env, token } = prepareEnvironment(settings)
  await checkPort('SERVICE_PORT', settings.SERVICE_PORT)
  await holdChildren(async (children) => {
    await startService({ settings, env, token, children })
    console.log(`The direct-debit service is ready: http://127.0.0.1:${settings.SERVICE_PORT}`)
    console.log(`token  ${token}`)
    console.log('Press Ctrl-C to stop.')
  })
  process.exit(0)
})
