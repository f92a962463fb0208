import { listPayments } from '@/lib/api-contract/payments'
import { makeConnection } from '../../upstream/connection'
import { AppError } from '../../runtime/app-error'
import { parseSettings } from '../../runtime/settings'
import { callUpstream } from '../../upstream/call-upstream'

/* A single call of the service described by the environment, in a separate process; prints the outcome as JSON. */

const outcome = await callUpstream(makeConnection(parseSettings(process.env)), listPayments).then(
  ({ status }) => ({ status }),
  (error: unknown) =>
    error instanceof AppError ? { code: error.code, evidence: error.evidence } : { code: 'unknown' },
)
process.stdout.write(`${JSON.stringify(outcome)}\n`)
