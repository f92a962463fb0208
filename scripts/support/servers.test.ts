import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

it('when npm goes away, a child is given the time that it needs to end', async () => {
  const command = `"${process.execPath}" scripts/run-program.mjs scripts/support/testing/supervise.ts & wait`
  const npm = spawn('/bin/sh', ['-c', command], { env: { ...process.env, npm_lifecycle_event: 'start' } })
  let output = ''
  npm.stdout.on('data', (chunk) => {
    output += String(chunk)
    if (output.includes('running')) npm.kill('SIGKILL')
  })
  // Its pipe is open for as long as one of its descendants lives.
  await once(npm, 'close')
  expect(output).toContain('ended in order')
})
