import { afterEach, expect, it } from 'vitest'
import { readCommandLine } from './command-line'

const argv = process.argv
afterEach(() => {
  process.argv = argv
})

it.each([
  [['a. b'], {}, "Unexpected argument 'a. b'"],
  [['--x. y'], {}, "Unknown option '--x. y'"],
  [['--x'], { allowPositionals: true }, "Unknown option '--x'"],
])('says what is wrong with %j, without advice that fits no command', (words, config, why) => {
  process.argv = ['node', 'command', ...words]
  expect(() => readCommandLine('Usage: command', config)).toThrow(new Error(`${why}\nUsage: command`))
})
