/** Ends a command with one line for people and a non-zero exit code; never a stack trace. */
export class CommandFailure extends Error {
  /** @param {string} message one or more whole lines @param {string} [details] shown below, e.g. a tool's output */
  constructor(message, details = '') {
    super(message)
    this.name = 'CommandFailure'
    this.details = details
  }
}

/** Runs a command's main function; whatever it throws becomes a message and exit code 1. */
export async function runCommand(main) {
  try {
    await main()
  } catch (error) {
    if (error instanceof CommandFailure && error.details) console.error(error.details.trimEnd())
    console.error(
      error instanceof CommandFailure ? error.message : `Debitdesk could not go on: ${error?.message ?? error}`,
    )
    process.exit(1)
  }
}
