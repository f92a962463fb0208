import type { Step } from '../../cancellations/ledger'

/** A process kills itself with SIGKILL the `time`-th time it reaches a step. */
export type Death = { step: Step; time: number }

/** A `step` of the ledger that kills its process; it never returns in a dying process. */
export function dieAt(death: Death | undefined): (name: Step) => Promise<void> {
  let times = 0
  return async (name) => {
    if (name !== death?.step) return
    times += 1
    if (times < death.time) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
}
