import type { ReadStream } from 'node:tty'
import { UserCommandError } from './run-user-command'

const endOfText = '\u0003'
const erase = ['\u007f', '\b']

/** A line typed at a terminal, without showing it. */
function readHidden(terminal: ReadStream, question: string): Promise<string> {
  process.stderr.write(question)
  terminal.setRawMode(true)
  terminal.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (finish: () => void) => {
      terminal.off('data', take)
      terminal.setRawMode(false)
      terminal.pause()
      process.stderr.write('\n')
      finish()
    }
    function take(data: string | Buffer): void {
      for (const character of data.toString()) {
        if (character === endOfText) return end(() => reject(new UserCommandError('Nothing was changed.')))
        if (character === '\r' || character === '\n') return end(() => resolve(typed))
        typed = erase.includes(character) ? Array.from(typed).slice(0, -1).join('') : typed + character
      }
    }
    terminal.on('data', take)
  })
}

async function readPiped(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > 10_000) throw new UserCommandError('That is too long for a password.')
  }
  // The line's end belongs to whoever wrote it; all else is the password.
  return text.replace(/\r?\n$/u, '')
}

/** The password: typed twice at a terminal, else all of standard input. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readPiped()
  const first = await readHidden(process.stdin, 'New password: ')
  const second = await readHidden(process.stdin, 'Once more: ')
  if (first !== second) throw new UserCommandError('The two are not the same. Nothing was changed.')
  return first
}
