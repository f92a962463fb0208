import { writeSync } from 'node:fs'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** A command was called in another way than its usage says, which follows the reason. */
export class CommandLineError extends Error {
  constructor(why: string, usage: string) {
    super(`${why}\n${usage}`)
  }
}

/**
 * The options of a command and, where allowed, its other words. For `--help` it prints the usage and ends the process with
 * exit code 0. Throws CommandLineError.
 */
export function readCommandLine<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    writeSync(1, `${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs<Config>(config)
  } catch (error) {
    // After the quoted word comes advice on other ways to write it.
    const why =
      error instanceof Error ? error.message.replace(/'\. (?:This command|To specify) .*$/su, "'") : String(error)
    throw new CommandLineError(why, usage)
  }
}
