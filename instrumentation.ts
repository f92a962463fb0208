/**
 * Next calls this once per server, before the first request: a desk that cannot work says why in one
 * line and ends, whoever started it.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.NEXT_PHASE === 'phase-production-build') return
  const { explainStart, startDesk } = await import('@/lib/server/start-desk')
  try {
    await startDesk()
  } catch (error) {
    process.stderr.write(`${explainStart(error)}\n`)
    process.exit(1)
  }
}
