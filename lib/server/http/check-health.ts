import { get } from 'node:http'
import { localOrigin } from '../runtime/setting-types'
import { readAddress } from '../runtime/settings'

/* The health check of a container: exit code 0 when the dashboard beside it answers. */

const { HOST, PORT } = readAddress(process.env)
const request = get(`${localOrigin(HOST, PORT)}/api/health`, { timeout: 4_000 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
)
request.on('timeout', () => request.destroy(new Error('no reply in time')))
request.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
})
