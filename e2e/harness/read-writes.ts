import { readFile } from 'node:fs/promises'

/** One write as the service saw it; the judge of what was really sent. */
export type Write = {
  method: string
  path: string
  status: number
  idempotencyKey: string | null
  outcome: string
  body: string | null
}

/** The service's own log of writes, oldest first. */
export async function readWrites(dataDir: string): Promise<Write[]> {
  const content = await readFile(`${dataDir}/service/requests.log`, 'utf8').catch(() => '')
  return content
    .split('\n')
    .filter(Boolean)
    .map((line): Write => JSON.parse(line))
}

/** The DELETE requests that reached the service for one payment. */
export async function readCancellations(dataDir: string, paymentId: string): Promise<Write[]> {
  const writes = await readWrites(dataDir)
  return writes.filter(({ method, path }) => method === 'DELETE' && path === `/Payments/${paymentId}`)
}
