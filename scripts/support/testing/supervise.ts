import { setTimeout as pause } from 'node:timers/promises'
import { startChild, superviseChildren } from '../servers'

// Supervises one child, which takes longer to end than a further signal needs to count as one.
const slow = `process.on('SIGTERM', () => setTimeout(() => { console.log('ended in order'); process.exit(0) }, 3_500)); setInterval(() => {}, 1_000); console.log('running')`
await superviseChildren(async (children) => {
  children.push(startChild({ name: 'The child', args: ['-e', slow], env: process.env, live: true }))
})
// Its last output is still on the way.
await pause(100)
process.exit(0)
