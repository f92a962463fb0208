import './check-node.mjs'
import { parseArgs } from 'node:util'
import { CommandError, runCommand } from './support/command.mjs'
import { ensureInstalled } from './support/ensure-ready.mjs'
import { runPlaywright } from './support/playwright.mjs'

const usage = `Usage: npm run smoke -- --base-url URL [--email E-MAIL --password PASSWORD]
The sign-in may also stand in SMOKE_EMAIL and SMOKE_PASSWORD.`

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { 'base-url': { type: 'string' }, email: { type: 'string' }, password: { type: 'string' } },
    })
    return values
  } catch (error) {
    throw new CommandError(`${error.message}\n${usage}`)
  }
}

await runCommand(async () => {
  const values = readArguments()
  const baseUrl = values['base-url'] ?? process.env.SMOKE_BASE_URL
  const email = values.email ?? process.env.SMOKE_EMAIL
  const password = values.password ?? process.env.SMOKE_PASSWORD
  if (!baseUrl || !URL.canParse(baseUrl)) throw new CommandError(`The address of a running desk is needed.\n${usage}`)
  if (!email || !password) throw new CommandError(`A sign-in at that desk is needed.\n${usage}`)
  await ensureInstalled()
  const env = { SMOKE_BASE_URL: baseUrl, SMOKE_EMAIL: email, SMOKE_PASSWORD: password }
  const { code } = await runPlaywright(['--project=smoke'], env)
  process.exit(code)
})
