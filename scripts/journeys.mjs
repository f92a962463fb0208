import './check-node.mjs'
import { runCommand } from './support/command.mjs'
import { ensureBuilt, ensureInstalled } from './support/ensure-ready.mjs'
import { runPlaywright } from './support/playwright.mjs'

// `npm run journeys -- e2e/journeys/sign-in.spec.ts`: only the browser tests, with Playwright's arguments.
await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { code } = await runPlaywright(process.argv.slice(2))
  process.exit(code)
})
