import { PGlite } from '@electric-sql/pglite'
import { openDatabase } from '../open-database'

/*
 * Opens the database in the folder of its first argument with the migrations of its second, and kills itself at
 * the nth message that reaches Postgres (third argument; 0: never). Prints how many there were.
 */

const [folder = '', migrationsFolder = '', nth = '0'] = process.argv.slice(2)
let messages = 0
const original: unknown = Reflect.get(PGlite.prototype, 'execProtocolRawSync')
Reflect.set(PGlite.prototype, 'execProtocolRawSync', function count(this: PGlite, ...given: unknown[]): unknown {
  messages += 1
  if (messages === Number(nth)) process.kill(process.pid, 'SIGKILL')
  return typeof original === 'function' ? Reflect.apply(original, this, given) : undefined
})
const { close } = await openDatabase({ folder, migrationsFolder })
await close()
console.log(messages)
