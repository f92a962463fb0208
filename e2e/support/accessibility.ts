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

type Node = { nodeId: string; role?: { value?: string }; name?: { value?: string }; childIds?: string[] }

/** What stands in the live regions of one role, in Chromium's own accessibility tree (`Accessibility.getFullAXTree`). */
export async function readRegions(page: Page, role: 'status' | 'alert'): Promise<string> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes }: { nodes: Node[] } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const readText = (node: Node): string =>
    node.role?.value === 'StaticText'
      ? (node.name?.value ?? '')
      : (node.childIds ?? []).map((id) => readText(byId.get(id) ?? { nodeId: id })).join(' ')
  return nodes
    .filter((node) => node.role?.value === role)
    .map(readText)
    .join('\n')
}
