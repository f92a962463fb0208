import { bundleProgram } from './bundle-program.mjs'
import { LogFile } from './log-file.mjs'
import { startChild } from './start-child.mjs'
import { waitUntilReady } from './wait-until-ready.mjs'

/**
 * Starts the desk (for development when `isDevelopment` says so) and waits until it answers. With `inspectPort` its
 * process can be inspected there, on 127.0.0.1.
 */
export async function startDesk({ settings, env, isDevelopment = false, live = false, inspectPort, children }) {
  const log = new LogFile(settings.DATA_DIR, 'desk')
  const child = startChild({
    name: 'The desk',
    // Pages of rows come and go with each request: with room for them they never reach the old heap.
    args: [
      '--max-semi-space-size=64',
      ...(inspectPort ? [`--inspect=127.0.0.1:${inspectPort}`] : []),
      await bundleProgram('lib/server/http/serve-desk.ts'),
    ],
    env: { ...env, NODE_ENV: isDevelopment ? 'development' : 'production' },
    log,
    live,
  })
  children.push(child)
  await waitUntilReady(child, `http://127.0.0.1:${settings.PORT}/api/health`, { log })
  return child
}
