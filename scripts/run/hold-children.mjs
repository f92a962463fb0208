import { CommandFailure } from './command-failure.mjs'
import { whenAskedToStop } from './when-asked-to-stop.mjs'

/**
 * Keeps a command alive with its children: `start(children)` starts them and pushes each. When asked to
 * stop, they are ended, last one first, and this returns. When one ends by itself, or cannot be
 * started, the others are ended too and a CommandFailure says which.
 */
export async function holdChildren(start) {
  // What they make under DATA_DIR is their owner's alone. Not set earlier: a build holds no secrets.
  process.umask(0o077)
  const children = []
  const asked = whenAskedToStop(() => children.forEach((child) => child.kill()))
  const startAndWatch = async () => {
    await start(children)
    const { child, reason } = await Promise.race(
      children.map((one) => one.exited.then((ending) => ({ child: one, reason: ending }))),
    )
    const line = child.lastLine()
    throw new CommandFailure(`${child.name} has ended by itself (${reason})${line ? `: ${line}` : '.'}`)
  }
  const running = startAndWatch()
  // Once asked to stop, the end of a child is no news.
  void asked.then(() => running.catch(() => undefined))
  try {
    await Promise.race([asked, running])
  } finally {
    for (const child of children.toReversed()) await child.stop()
  }
}
