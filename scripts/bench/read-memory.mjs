import { CommandFailure } from '../run/command-failure.mjs'

async function findInspector(port) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  return target.webSocketDebuggerUrl
}

/** A function that asks the inspector at `socket` and answers its result; what it refuses is a CommandFailure. */
function makeAsk(socket) {
  const waiting = new Map()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new CommandFailure(`The inspector answered: ${error.message}`))
    else asked?.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.reject(new CommandFailure('The inspector has closed.'))
  })
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      last += 1
      const id = last
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
}

/** What is read there, in bytes: `code` is the part of the heap that V8 has compiled to machine code, with what belongs to that. */
const reading = `JSON.stringify({ ...process.memoryUsage(),
  code: process.getBuiltinModule('v8').getHeapCodeStatistics().code_and_metadata_size })`

/**
 * { heapUsed, external, rss, code } of the process that can be inspected at `port` of 127.0.0.1, after three collections.
 * The inspector is left again at once: one that stays keeps objects.
 */
export async function readMemory(port) {
  const { WebSocket } = await import('undici')
  const socket = new WebSocket(await findInspector(port))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new CommandFailure('The inspector cannot be reached.')))
  })
  try {
    const ask = makeAsk(socket)
    for (let turn = 0; turn < 3; turn += 1) await ask('HeapProfiler.collectGarbage')
    const { result } = await ask('Runtime.evaluate', { expression: reading })
    return JSON.parse(result.value)
  } finally {
    socket.close()
  }
}
