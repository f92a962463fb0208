import { createServer } from 'node:net'

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/**
 * A port of 127.0.0.1 that nobody listens on at this moment, below those that systems give to outgoing connections:
 * none of them takes it while the server behind it is down between two starts.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port')
}
