import { CommandFailure } from './command-failure.mjs'

/**
 * Keeps a command alive with its children: `start(children)` starts them and pushes each. On SIGINT,
 * SIGTERM or SIGHUP they are stopped, last one first, and the exit code is 0; a second signal kills at
 * once. When one ends by itself the others are stopped and a CommandFailure names it.
 */
export async function holdChildren(start) {
  const children = []
  let asked = 0
  let tellAsked
  const whenAsked = new Promise((resolve) => {
    tellAsked = resolve
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      asked += 1
      if (asked === 1) tellAsked()
      else for (const child of children) child.kill()
    })
  }
  try {
    const whenEnded = Promise.resolve(start(children)).then(() =>
      Promise.race(children.map((child) => child.exited.then((reason) => ({ child, reason })))),
    )
    const ended = await Promise.race([whenAsked, whenEnded])
    if (ended && !asked) {
      const { child, reason } = ended
      throw new CommandFailure(`${child.name} has ended by itself (${reason}): ${child.lastLine()}`)
    }
    whenEnded.catch(() => undefined)
  } finally {
    for (const child of children.toReversed()) await child.stop()
  }
}
