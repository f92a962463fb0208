import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every rule of axe-core that the page breaks, with the elements that break it. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated from outside the page: its content security policy allows no script of ours.
  await page.evaluate(await axe)
  const results: AxeResults = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  )
}
