import { listPayments } from '@/lib/api-contract/payments'
import { makeConnection } from '../../upstream/connection'
import { AppError } from '../../runtime/app-error'
import { parseSettings } from '../../runtime/settings'
import { callUpstream } from '../../upstream/call-upstream'

/* One call of the service that the environment names, as a process of its own; the outcome as a line of JSON. */

const outcome = await callUpstream(makeConnection(parseSettings(process.env)), listPayments).then(
  ({ status }) => ({ status }),
  (error: unknown) =>
    error instanceof AppError ? { code: error.code, evidence: error.evidence } : { code: 'unknown' },
)
process.stdout.write(`${JSON.stringify(outcome)}\n`)
