import { runCommand } from './command-failure.mjs'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { runPlaywright } from './run-playwright.mjs'

// `npm run journeys -- e2e/journeys/sign-in.spec.ts`: the browser tests alone, with Playwright's arguments.
await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const { code } = await runPlaywright(process.argv.slice(2))
  process.exit(code)
})
