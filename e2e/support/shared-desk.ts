import type { FullConfig } from '@playwright/test'
import { type DeskInfo, makeFolder, startDesk } from './desk'

const variable = 'DEBITDESK_E2E_DESK'

/** The desk that all workers share, with 2,000 payments: it is started once, before the first test. */
export function readSharedDesk(): DeskInfo {
  const facts = process.env[variable]
  if (!facts) throw new Error('no shared desk was started: see playwright.config.ts')
  return JSON.parse(facts)
}

/** Playwright's global set-up; answers the tear-down. Smoke tests of a running desk need none of our own. */
async function startSharedDesk(_config: FullConfig) {
  if (process.env.SMOKE_BASE_URL) return undefined
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, {}, { fromNothing: true })
  const facts: DeskInfo = { url: desk.url, dataDir: desk.dataDir, signIns: desk.signIns }
  process.env[variable] = JSON.stringify(facts)
  return async () => {
    await desk.command.stop()
    await remove()
  }
}

export default startSharedDesk
