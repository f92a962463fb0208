import { PGlite } from '@electric-sql/pglite'
import { openDatabase } from '../open-database'

/*
 * Opens the database in the folder (first argument) with migrations (second) and kills itself before the nth statement
 * (third; 0: never). Prints the number of statements.
 */

const [folder = '', migrationsFolder = '', nth = '0'] = process.argv.slice(2)
let statements = 0
/** The first byte of messages that execute a statement: E for Execute, Q for a query without parameters. */
const executing = new Set([0x45, 0x51])
const original: unknown = Reflect.get(PGlite.prototype, 'execProtocolRawSync')
Reflect.set(PGlite.prototype, 'execProtocolRawSync', function count(this: PGlite, ...given: unknown[]): unknown {
  const [message] = given
  if (message instanceof Uint8Array && executing.has(message[0] ?? 0)) {
    statements += 1
    if (statements === Number(nth)) process.kill(process.pid, 'SIGKILL')
  }
  return typeof original === 'function' ? Reflect.apply(original, this, given) : undefined
})
const { close } = await openDatabase({ folder, migrationsFolder })
await close()
console.log(statements)
