import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { findFreePort } from '@/lib/database/testing/find-free-port'
import { startChild, waitUntilReady } from './servers'

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

it('a start that takes long is waited for, and says so once; one that ends is over', async () => {
  const port = await findFreePort()
  const said = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const serve = `setTimeout(() => require('node:http').createServer((_, response) => response.end()).listen(${port}, '127.0.0.1'), 1_500)`
  const child = startChild({ name: 'The child', args: ['-e', serve], env: process.env })
  await waitUntilReady(child, `http://127.0.0.1:${port}/`, { slowAfter: 200 })
  expect(said.mock.calls.flat().filter((line) => String(line).includes('The child is still starting'))).toHaveLength(1)
  child.kill()
  await expect(waitUntilReady(child, `http://127.0.0.1:${port}/`, {})).rejects.toThrow('The child did not start')
})
