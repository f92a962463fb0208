import { createServer } from 'node:net'
import { CommandFailure } from './command-failure.mjs'

const reasons = { EADDRINUSE: 'is taken by another program', EACCES: 'may not be used by this user' }

function tryToListen(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(reasons[error.code] ?? `cannot be used (${error.code})`))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(null)))
  })
}

/** Browsers, and Node's fetch with them, refuse some ports by name; nobody listens here at this point. */
async function tryToCall(port) {
  const error = await fetch(`http://127.0.0.1:${port}`).catch((reason) => reason)
  return error?.cause?.message === 'bad port' ? 'is one that browsers refuse' : null
}

/** Throws a CommandFailure naming the setting when its port cannot be used on 127.0.0.1. */
export async function checkPort(setting, port) {
  const reason = (await tryToListen(port)) ?? (await tryToCall(port))
  if (reason) throw new CommandFailure(`Port ${port} ${reason}: set ${setting} to another one.`)
}
