import { lockFolder } from '../folder-lock'

/*
 * Holds a folder's lock as a process of its own: `folder`, and the beat, silence and wait in milliseconds. Prints "held"
 * or why not; on standard input "close" announces that it closes, "release" gives the lock back and ends it.
 */

const [folder = '', beat, silence, wait] = process.argv.slice(2)
const timing = { beat: Number(beat), silence: Number(silence), wait: Number(wait) }

const lock = await lockFolder(folder, timing).catch((error: unknown) => {
  process.stdout.write(`refused: ${String(error)}\n`)
  process.exit(1)
})
process.stdout.write('held\n')
process.stdin.on('data', (chunk) => {
  const order = String(chunk).trim()
  if (order === 'close') lock.announceClose()
  if (order === 'release') void lock.release().then(() => process.exit(0))
})
