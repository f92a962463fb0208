import { parseArgs } from 'node:util'
import { CommandFailure } from '../run/command-failure.mjs'

const parts = ['loads', 'scroll', 'walk', 'gateway']
const usage = `Usage: npm run bench [-- --rounds 3 --rows 100000 --only ${parts.join(',')} --out docs/bench.md]`

function readNumber(name, text, least) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new CommandFailure(`--${name} must be a whole number from ${least} on.\n${usage}`)
}

function readValues() {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string', default: '3' },
        rows: { type: 'string', default: '100000' },
        only: { type: 'string', default: parts.join(',') },
        out: { type: 'string', default: 'docs/bench.md' },
      },
    }).values
  } catch (error) {
    throw new CommandFailure(`${error.message}\n${usage}`)
  }
}

/** The options of the bench: { rounds, rows, only: the parts, out: the file in the repository }. */
export function readOptions() {
  const values = readValues()
  const only = values.only.split(',')
  const wrong = only.find((part) => !parts.includes(part))
  if (wrong !== undefined) throw new CommandFailure(`--only knows no part "${wrong}".\n${usage}`)
  return {
    rounds: readNumber('rounds', values.rounds, 1),
    rows: readNumber('rows', values.rows, 1_000),
    only,
    out: values.out,
  }
}
