import { lockFolder } from '../folder-lock'

/*
 * Holds a folder's lock in a separate process. Arguments: `folder`, and the beat, silence and wait in milliseconds. Prints
 * "held" or why not; on standard input "close" announces closing and "release" releases the lock and exits.
 */

const [folder = '', beat, silence, wait] = process.argv.slice(2)
const timing = { beat: Number(beat), silence: Number(silence), wait: Number(wait) }

const lock = await lockFolder(folder, timing).catch((error: unknown) => {
  process.stdout.write(`refused: ${String(error)}\n`)
  process.exit(1)
})
process.stdout.write('held\n')
process.stdin.on('data', (chunk) => {
  const command = String(chunk).trim()
  if (command === 'close') lock.announceClose()
  if (command === 'release') void lock.release().then(() => process.exit(0))
})
