const impatience = 2_000

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP, or when npm, which started this process, is gone.
 * `onAgain` is called for a further signal. One that follows within two seconds is the same request:
 * a terminal sends Ctrl-C to every process of its group, and npm passes it on once more.
 */
export function whenAskedToStop(onAgain) {
  let askedAt = 0
  return new Promise((resolve) => {
    const ask = () => {
      if (askedAt > 0 && Date.now() - askedAt > impatience) onAgain()
      askedAt ||= Date.now()
      resolve('asked')
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ask)
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && ask(), 500).unref()
  })
}
