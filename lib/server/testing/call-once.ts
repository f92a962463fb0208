import { listPayments } from '@/lib/contract/payments'
import { makeConnection } from '../connection'
import { Failure } from '../failure'
import { parseSettings } from '../settings'
import { callUpstream } from '../upstream'

/* One call of the service that the environment names, as a process of its own; the outcome as a line of JSON. */

const outcome = await callUpstream(makeConnection(parseSettings(process.env)), listPayments).then(
  ({ status }) => ({ status }),
  (error: unknown) => (error instanceof Failure ? { code: error.code, evidence: error.evidence } : { code: 'unknown' }),
)
process.stdout.write(`${JSON.stringify(outcome)}\n`)
