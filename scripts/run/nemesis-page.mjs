import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

const page = join(root, 'docs/nemesis.md')
const heading =
  '# What became of a desk that was killed\n\nWritten by `npm run test:nemesis`; it takes how many kills (300), for how many minutes at most (20), of how many desks at once (2), and a seed. Each desk cancels single payments and bulks at a service that answers by chance, is killed at a failpoint or at random, and starts again on the same store. In the end what people were told is held against the service’s own log: I1 to I8, nothing lost, nothing cancelled twice, nothing said that was not so. With `--more` a further part is added until there are so many kills.'

const names = ['on', 'seed', 'desks', 'minutes', 'kills', 'payments', 'in bulks', 'DELETEs', 'effective', 'times told']
const cells = (row) =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** The parts on the page, as maps by the head of their column. */
export function readNemesisParts() {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const [head, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'))
  return head ? rows.map((row) => new Map(cells(row).map((cell, at) => [cells(head)[at], cell]))) : []
}

const sum = (parts, name) => parts.reduce((total, part) => total + Number(part.get(name) ?? 0), 0)

export const sumKills = (parts) => sum(parts, 'kills')

function describePart(result) {
  const kills = new Map(result.kills.map(([name, times]) => [name, String(times)]))
  const facts = { ...result, on: new Date().toISOString().slice(0, 10), minutes: result.minutes.toFixed(1) }
  facts.kills = result.kills.reduce((total, [, times]) => total + times, 0)
  return new Map([
    ...names.map((name) => [name, String(facts[name])]),
    ['violations', result.violations.join('; ').replaceAll('|', '/') || '0'],
    ...kills,
  ])
}

/** Writes the page with one more part. */
export function keepNemesisPart(earlier, result, wanted) {
  const parts = [...earlier, describePart(result)]
  const columns = [...parts[parts.length - 1].keys()]
  const isClean = parts.every((part) => part.get('violations') === '0')
  const done = sumKills(parts)
  const end = isClean ? '0 lost, 0 doubled, 0 misreported' : 'VIOLATIONS, named below'
  const missing = done < wanted ? ' `npm run test:nemesis -- --more` goes on.' : ''
  const counted = ['payments', 'in bulks', 'DELETEs', 'effective', 'times told'].map(
    (name) => `${sum(parts, name)} ${name}`,
  )
  const least = Math.min(...columns.filter((name) => /^F\d/u.test(name)).map((name) => sum(parts, name)))
  const lines = [
    heading,
    '',
    `**${done} of ${wanted} kills: ${end}.**${missing}`,
    '',
    `${counted.join(', ')}.${least > 0 ? ` Each failpoint was come to ${least} times or more.` : ''}`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${'---|'.repeat(columns.length)}`,
    ...parts.map((part) => `| ${columns.map((name) => part.get(name) ?? '').join(' | ')} |`),
  ]
  writeFileSync(page, `${lines.join('\n')}\n`)
}
