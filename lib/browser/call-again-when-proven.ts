import { CallError } from './call-error'
import { askForProof } from './identity-question'

/**
 * Runs what may need a recent password; where the desk asks for one, so does the page, and what was asked for is
 * run once more when it was given. Throws the CallError `step-up` when the person would rather not.
 */
export async function callAgainWhenProven<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'step-up') throw error
    const { proof, why }: Record<string, unknown> = error.problem ?? {}
    const isProven = await askForProof(
      proof === 'provider' ? 'provider' : 'password',
      typeof why === 'string' ? why : null,
    )
    if (!isProven) throw error
    return action()
  }
}
