import { registerServer } from '../../http/registered-server'
import { startOrExit } from '../../runtime/start'

/** What Next runs before the first request, as a process of its own; with `unguarded`, as `next start` alone would. */
if (process.argv[2] !== 'unguarded') registerServer({ drain: async () => undefined })
await startOrExit()
console.log('started')
process.exit(0)
