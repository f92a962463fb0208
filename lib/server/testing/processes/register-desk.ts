import { registerServer } from '../../http/registered-server'
import { startOrExit } from '../../runtime/start'

/** What Next runs before the first request, in a separate process; with `unguarded`, as under `next start`. */
if (process.argv[2] !== 'unguarded') registerServer({ retire: () => undefined, drain: async () => undefined })
await startOrExit()
console.log('started')
process.exit(0)
