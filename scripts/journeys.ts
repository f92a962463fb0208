import { ensureBuilt } from './support/ensure-built'
import { runPlaywright } from './support/playwright'

// `npm run journeys -- e2e/journeys/sign-in.spec.ts`: only the browser tests, with Playwright's arguments. Without any
// it leaves out the long ones, which `npm run test:long` runs.
await ensureBuilt()
const given = process.argv.slice(2)
const { code } = await runPlaywright(given.length > 0 ? given : ['--grep-invert', '@long'])
process.exit(code)
