import { register } from '@/instrumentation'

/** What Next runs before the first request, as a process of its own. */
await register()
console.log('started')
process.exit(0)
