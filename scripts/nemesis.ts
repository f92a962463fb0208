import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runTool } from './support/command.mjs'

const page = join(root, 'docs/reports/nemesis.md')
const heading = `# What became of desks that were killed

Written by \`npm run test:nemesis\`; it takes how many kills (300), for how many minutes at most (30), how many desks on one store (2), a seed, and how many such stores at once (2). Desks cancel single payments and bulks at a service that answers by chance, are killed at a failpoint or at random, and start again on the same store. In the end what people were told is held against the service’s own log: I1 to I8, nothing lost, nothing cancelled twice, nothing said that was not so, no payment but the one that was asked for. A run takes the place of the last one with as many desks; with \`--more\` it is added to it until there are so many kills.`

const alone =
  'Each desk has a store of its own, PGlite in a folder, and nobody else works on it. So this says nothing of several desks on one store.'

const together =
  'The desks share one Postgres, each through a proxy of its own that freezes, delays and breaks its connections and loses the answers to its COMMITs. People ask at all of them, also twice at once. The processes’ clocks are up to 30 minutes apart and are set while they run; desks are paused by SIGSTOP, also at a step and for longer than their leases (3 s); a desk whose starter alone is killed finishes what it is at beside its successor. Payments come in pairs whose ids differ only in case, the service loses replies, refuses lists in passing, and does not always honour filters.'

const names = [
  'on',
  'seed',
  'stores',
  'desks on each',
  'minutes',
  'kills',
  'payments',
  'in bulks',
  'DELETEs',
  'effective',
  'times told',
  'left to people',
  's to the end',
]
const cells = (row: string) =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** A row of a table by its column headings. */
type Part = Map<string, string>

function readTable(section: string): Part[] {
  const [head, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'))
  return head ? rows.map((row) => new Map(cells(row).map((cell, at) => [cells(head)[at] ?? '', cell]))) : []
}

const readParts = () => (existsSync(page) ? readFileSync(page, 'utf8').split('\n## ').flatMap(readTable) : [])
const desksOf = (part: Part) => Number(part.get('desks on each'))
const isOf = (desks: number) => (part: Part) => desksOf(part) === desks

const sum = (parts: readonly Part[], name: string) =>
  parts.reduce((total, part) => total + Number(part.get(name) || 0), 0)

/** Number of kills on the page with this many desks on one store. */
const countRecordedKills = (desks: number) => sum(readParts().filter(isOf(desks)), 'kills')

type Count = [name: string, times: number]

/** What run-nemesis prints: also a figure for each column that is not made here. */
type Result = { kills: Count[]; faults: Count[]; violations: string[]; minutes: number }

function describePart(result: Result): Part {
  const texts = (pairs: readonly Count[]) => pairs.map(([name, times]): [string, string] => [name, String(times)])
  const values = new Map<string, unknown>([
    ...Object.entries(result),
    ['on', new Date().toISOString().slice(0, 10)],
    ['minutes', result.minutes.toFixed(1)],
    ['kills', result.kills.reduce((total, [, times]) => total + times, 0)],
  ])
  const write = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? String(value) : '')
  return new Map([
    ...names.map((name): [string, string] => [name, write(values.get(name))]),
    ['violations', result.violations.join('; ').replaceAll('|', '/') || '0'],
    ...texts(result.kills),
    ...texts(result.faults),
  ])
}

function describeKind(desks: number, parts: readonly Part[]): string[] {
  const columns = [...new Set(parts.flatMap((part) => [...part.keys()]))]
  const isClean = parts.every((part) => part.get('violations') === '0')
  // Claimed only if all runs had ids that could be confused.
  const couldConfuse = parts.every((part) => Number(part.get('pairs of ids that differ in case')) > 0)
  const clean = `0 lost, 0 doubled, 0 misreported${couldConfuse ? ', 0 of the wrong payment' : ''}`
  const end = isClean ? clean : 'VIOLATIONS, named below'
  const counted = ['payments', 'in bulks', 'DELETEs', 'effective', 'times told'].map(
    (name) => `${sum(parts, name)} ${name}`,
  )
  const least = Math.min(...columns.filter((name) => /^F\d/u.test(name)).map((name) => sum(parts, name)))
  return [
    `## ${desks === 1 ? 'A desk by itself' : `${desks} desks on one Postgres`}`,
    '',
    desks === 1 ? alone : together,
    '',
    `**${sum(parts, 'kills')} kills: ${end}.**`,
    '',
    `${counted.join(', ')}.${least > 0 ? ` Each failpoint was come to ${least} times or more.` : ''}`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${'---|'.repeat(columns.length)}`,
    ...parts.map((part) => `| ${columns.map((name) => part.get(name) ?? '').join(' | ')} |`),
  ]
}

/** Adds a result to the page, in place of earlier ones with as many desks unless `isMore`. */
function writeNemesisPart(result: Result, { isMore }: { isMore: boolean }): void {
  const part = describePart(result)
  const parts = [...readParts().filter((earlier) => isMore || desksOf(earlier) !== desksOf(part)), part]
  const sections = [...new Set(parts.map(desksOf))]
    .toSorted((one, other) => one - other)
    .flatMap((desks) => ['', ...describeKind(desks, parts.filter(isOf(desks)))])
  writeFileSync(page, `${[heading, ...sections].join('\n')}\n`)
}

// Kills desks repeatedly during mixed work and writes the results to docs/reports/nemesis.md. With `--more` it does only
// the kills that are missing there for this number of desks on one store; otherwise it starts over.
const isMore = process.argv.includes('--more')
const given = process.argv.slice(2).filter((argument) => argument !== '--more')
const [kills = '300', minutes = '30', desks = '2', ...others] = given
const recorded = isMore ? countRecordedKills(Number(desks)) : 0
const left = Math.max(0, Number(kills) - recorded)
if (left === 0) {
  console.log(`${recorded} of ${kills} kills are done: without --more it begins anew.`)
  process.exit(0)
}
const program = ['scripts/run-program.mjs', 'lib/server/testing/nemesis/run-nemesis.ts']
const args = [...program, String(left), minutes, desks, ...others]
const { code, output, took } = await runTool(process.execPath, args, { echo: true })
const result = output.split('RESULT ')[1]
if (result) writeNemesisPart({ ...JSON.parse(result), minutes: took / 60_000 }, { isMore })
process.exit(code)
