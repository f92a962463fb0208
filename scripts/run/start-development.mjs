import { runCommand } from './command-failure.mjs'
import { checkPort } from './check-port.mjs'
import './end-without-reader.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { holdChildren } from './hold-children.mjs'
import { prepareEnvironment } from './prepare-environment.mjs'
import { readSettings } from './read-settings.mjs'
import { startDesk } from './start-desk.mjs'
import { startService } from './start-service.mjs'

await runCommand(async () => {
  await ensureInstalled()
  const settings = await readSettings()
  const { env, token, address, signIns } = prepareEnvironment(settings)
  const embedded = !settings.UPSTREAM_URL
  await checkPort('PORT', settings.PORT)
  if (embedded) await checkPort('SERVICE_PORT', settings.SERVICE_PORT)

  await holdChildren(async (children) => {
    if (embedded) await startService({ settings, env, token, live: true, children })
    await startDesk({ settings, env, isDevelopment: true, live: true, children })
    console.log(`Debitdesk in development: ${address}`)
    for (const { role, email, password } of signIns) console.log(`${role}  ${email}  ${password}`)
  })
  process.exit(0)
})
