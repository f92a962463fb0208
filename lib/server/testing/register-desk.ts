import { startOrExit } from '../start-desk'

/** What Next runs before the first request, as a process of its own. */
await startOrExit()
console.log('started')
process.exit(0)
