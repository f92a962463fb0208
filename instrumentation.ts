/** Next calls this once per server, before the first request (and compiles it for its edge runtime too: nothing of Node here). */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs' && process.env.NEXT_PHASE !== 'phase-production-build') {
    const { startOrExit } = await import('@/lib/server/runtime/start')
    await startOrExit()
  }
}
