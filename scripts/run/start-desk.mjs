import { LogFile } from './log-file.mjs'
import { nodeProgram } from './run-tool.mjs'
import { startChild } from './start-child.mjs'
import { waitUntilReady } from './wait-until-ready.mjs'

/**
 * Starts the desk (`next start`, or `next dev` when `mode` says so) and waits until it answers. With `inspectPort` its
 * process can be inspected there, on 127.0.0.1.
 */
export async function startDesk({ settings, env, mode = 'start', live = false, inspectPort, children }) {
  const log = new LogFile(settings.DATA_DIR, 'desk')
  const child = startChild({
    name: 'The desk',
    // Pages of rows come and go with each request: with room for them they never reach the old heap.
    args: [
      '--max-semi-space-size=64',
      ...(inspectPort ? [`--inspect=127.0.0.1:${inspectPort}`] : []),
      nodeProgram('next/dist/bin/next'),
      mode,
      '-H',
      '127.0.0.1',
      '-p',
      String(settings.PORT),
    ],
    // The desk ends itself: it finishes what it is at and closes its store (lib/server/stop-desk.ts).
    env: {
      ...env,
      NODE_ENV: mode === 'dev' ? 'development' : 'production',
      NEXT_MANUAL_SIG_HANDLE: mode === 'dev' ? '' : 'true',
    },
    log,
    live,
  })
  children.push(child)
  await waitUntilReady(child, `http://127.0.0.1:${settings.PORT}/api/health`, { log })
  return child
}
