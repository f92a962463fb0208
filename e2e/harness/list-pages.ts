import { readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const root = join(import.meta.dirname, '../../app')

/** Every page of the desk, by its folder under `app` without groups: what Next serves is what lies there. */
export function listPages(): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|[\\/])page\.(?:tsx|ts|jsx|js)$/u.test(file))
    .map((file) => {
      const folder = relative(root, dirname(join(root, file)))
        .split(sep)
        .join('/')
      return `/${folder.replaceAll(/\([^)]*\)\/?/gu, '')}`.replace(/(?<=.)\/$/u, '')
    })
    .toSorted()
}
