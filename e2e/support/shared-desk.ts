import type { FullConfig } from '@playwright/test'
import { type DeskInfo, makeFolder, startDesk } from './desk'

const variable = 'DEBITDESK_E2E_DESK'

/** The desk that all workers share, with 2,000 payments, started once before the first test. */
export function readSharedDesk(): DeskInfo {
  const info = process.env[variable]
  if (!info) throw new Error('no shared desk was started: see playwright.config.ts')
  return JSON.parse(info)
}

/** Playwright's global setup; returns the teardown. Smoke tests of a running desk need no shared desk. */
async function startSharedDesk(_config: FullConfig) {
  if (process.env.SMOKE_BASE_URL) return undefined
  const { folder, remove } = await makeFolder()
  const desk = await startDesk(folder, {}, { fromNothing: true })
  const info: DeskInfo = { url: desk.url, dataDir: desk.dataDir, signIns: desk.signIns }
  process.env[variable] = JSON.stringify(info)
  return async () => {
    await desk.command.stop()
    await remove()
  }
}

export default startSharedDesk
