import type { ParseArgsConfig } from 'node:util'
import { readCommandLine } from '@/lib/server/runtime/command-line'
import { CommandError, readMessage } from './command.mjs'

/** As readCommandLine, for a command of scripts. Throws CommandError. */
export function readArguments<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  try {
    return readCommandLine<Config>(usage, config)
  } catch (error) {
    throw new CommandError(readMessage(error))
  }
}
