import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The axe-core rules that the page violates, with the elements. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated through devtools, because the content security policy allows no injected script.
  await page.evaluate(await axe)
  const results: AxeResults = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  )
}

type Node = { nodeId: string; role?: { value?: string }; name?: { value?: string }; childIds?: string[] }

/** The text of the live regions of a role in Chromium's accessibility tree (`Accessibility.getFullAXTree`). */
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
