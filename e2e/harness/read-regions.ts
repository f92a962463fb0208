import type { Page } from '@playwright/test'

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
