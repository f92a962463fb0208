import { CommandError } from '../support/command.mjs'

/** Reads the value of the option `name`, which must be a number above 0. */
export function readPositive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new CommandError(`--${name} must be a number above 0.`)
}
