import { LogFile } from './log-file.mjs'
import { nodeProgram } from './run-tool.mjs'
import { startChild } from './start-child.mjs'
import { waitUntilReady } from './wait-until-ready.mjs'

/** Starts the desk (`next start`, or `next dev` when `mode` says so) and waits until it answers. */
export async function startDesk({ settings, env, mode = 'start', live = false, children }) {
  const log = new LogFile(settings.DATA_DIR, 'desk')
  const child = startChild({
    name: 'The desk',
    args: [nodeProgram('next/dist/bin/next'), mode, '-H', '127.0.0.1', '-p', String(settings.PORT)],
    env: { ...env, NODE_ENV: mode === 'dev' ? 'development' : 'production' },
    log,
    live,
  })
  children.push(child)
  await waitUntilReady(child, `http://127.0.0.1:${settings.PORT}/api/health`, { log })
  return child
}
