import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './command.mjs'

function readSections(text: string): Map<string, string> {
  return new Map(
    text
      .split(/^## /mu)
      .slice(1)
      .map((part): [string, string] => {
        const [title = '', ...rest] = part.split('\n')
        return [title, rest.join('\n').trim()]
      }),
  )
}

/** Writes `##` sections (title → text) into a page of the repository, sorted by title. Sections of earlier runs stay. */
export function writeReportSections(path: string, heading: string, sections: ReadonlyMap<string, string>): void {
  if (sections.size === 0) return
  const file = join(root, path)
  const merged = new Map([...readSections(existsSync(file) ? readFileSync(file, 'utf8') : ''), ...sections])
  const parts = [...merged]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, text]) => `## ${title}\n\n${text}\n`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${heading}\n\n${parts.join('\n')}`)
}
