import { readFileSync } from 'node:fs'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { root } from './command.mjs'

/** A node of Chromium's accessibility tree. */
type TreeNode = Awaited<ReturnType<typeof readNodes>>[number]

async function readNodes(devtools: CDPSession) {
  return (await devtools.send('Accessibility.getFullAXTree')).nodes
}

/** Roles that are omitted; their children take their place. */
const omittedRoles = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'LineBreak',
  'LabelText',
  'ListMarker',
  'Section',
  'paragraph',
])
const reportedStates = [
  'focused',
  'required',
  'invalid',
  'checked',
  'expanded',
  'selected',
  'disabled',
  'modal',
  'haspopup',
  'live',
]
const MAX_ROWS = 3

function formatStates({ properties = [] }: TreeNode): string[] {
  return properties
    .filter(({ name, value }) => reportedStates.includes(name) && value.value !== false && value.value !== 'false')
    .map(({ name, value }) => (value.value === true || value.value === 'true' ? name : `${name}=${value.value}`))
}

function formatNode(node: TreeNode): string {
  const name = node.name?.value ?? ''
  const value = node.value?.value
  return [
    node.role?.value === 'StaticText' ? 'text' : node.role?.value,
    name === '' ? '' : `“${name}”`,
    value === undefined || value === '' || value === name ? '' : `value “${value}”`,
    node.description?.value ? `described “${node.description.value}”` : '',
    ...formatStates(node),
  ]
    .filter(Boolean)
    .join(' ')
}

function writeNodes(nodes: ReadonlyMap<string, TreeNode>, id: string, depth: number, named: string): string[] {
  const node = nodes.get(id)
  if (!node) return []
  const role = node.role?.value ?? ''
  const name = node.name?.value ?? ''
  const children = node.childIds ?? []
  // Text that repeats its parent's name.
  const isEcho = role === 'StaticText' && (name.trim() === '' || named.includes(name))
  if (role === 'StaticText') return isEcho ? [] : [`${'  '.repeat(depth)}${formatNode(node)}`]
  // Next's route announcer is an empty alert at the end of each page.
  const isEmptyAlert = role === 'alert' && children.length === 0
  const isShown = !node.ignored && !omittedRoles.has(role) && role !== 'RootWebArea' && !isEmptyAlert
  const within = isShown && name !== '' ? name : named
  const inner = (at: string) => writeNodes(nodes, at, isShown ? depth + 1 : depth, within)
  const lines = isShown ? [`${'  '.repeat(depth)}${formatNode(node)}`] : []
  const rows = children.filter((child) => nodes.get(child)?.role?.value === 'row')
  if (rows.length <= MAX_ROWS) return [...lines, ...children.flatMap(inner)]
  const left = `${'  '.repeat(depth + 1)}… ${rows.length - 2} rows more`
  return [...lines, ...rows.slice(0, 2).flatMap(inner), left]
}

/** The accessibility tree of the page, or of the selected element, as indented lines. */
async function readTree(page: Page, selector = 'body'): Promise<string> {
  const devtools = await page.context().newCDPSession(page)
  const nodes = await readNodes(devtools)
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { node } = await devtools.send('DOM.describeNode', { nodeId })
  const byId = new Map(nodes.map((one) => [one.nodeId, one]))
  const start = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === node.backendNodeId)
  if (!start) throw new Error(`nothing in the tree stands for ${selector}`)
  return writeNodes(byId, start.nodeId, 0, '').join('\n')
}

/** Returns a reader of the texts of a language by their names, such as `shell_payments`. */
function textsOf(language: string): (name: string) => string {
  const messages: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(`${root}/messages/${language}.json`, 'utf8'),
  )
  return (name) => {
    const [namespace = '', key = ''] = name.split('_')
    const text = messages[namespace]?.[key]
    if (text === undefined) throw new Error(`messages/${language}.json has no ${name}`)
    return text
  }
}

const writeOpening = (language: string) => `# A walk with the accessibility tree, in ${language}

Signing in, finding a payment and cancelling it, by keyboard alone, as the browser hands it to a screen reader.
\`npm run screenshots\` writes this from Chromium's own tree (\`Accessibility.getFullAXTree\`), so it says what is, not what
was meant. Left out: what has neither a name nor a role of its own, and of a list all rows but the first two.
`

/** Signs in, finds a payment and cancels it by keyboard only. Returns a transcript in that language as Markdown. */
export async function writeWalk(
  browser: Browser,
  { address, password }: { address: string; password: string },
  locale: string,
): Promise<string> {
  const { language } = new Intl.Locale(locale)
  const text = textsOf(language)
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale,
    timezoneId: 'Europe/Copenhagen',
  })
  const page = await context.newPage()
  const { keyboard } = page
  const parts = [writeOpening(new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language)]
  const record = async (title: string, keys: string, within?: string) => {
    const tree = await readTree(page, within)
    parts.push(`## ${title}\n\n${keys}\n\n\`\`\`text\n${tree}\n\`\`\`\n`)
  }

  await page.goto(`${address}/payments`)
  await page.getByRole('button', { name: text('signingIn_signIn'), exact: true }).waitFor()
  await record('Signed out', 'Any page leads here.')
  await page.getByLabel(text('signingIn_email'), { exact: true }).focus()
  await keyboard.insertText('support@debitdesk.example')
  await keyboard.press('Tab')
  await keyboard.insertText('not the password')
  await keyboard.press('Enter')
  await page.locator('main [role=alert]').first().waitFor()
  await record(
    'A wrong password',
    'E-mail, `Tab`, password, `Enter`. What is wrong is an alert; nothing that was typed is lost.',
  )
  await page.getByLabel(text('signingIn_password'), { exact: true }).focus()
  await keyboard.press('Control+A')
  await keyboard.insertText(password)
  await keyboard.press('Enter')
  await page.locator('[data-walk="more"], [data-walk="complete"]').waitFor()
  await record(
    'The payments',
    'The password, `Enter`. One tab stop leads into the grid; the foot tells how much is loaded.',
  )

  const pending = page.locator('[data-row-id][data-status="Pending"]').nth(3)
  const reference = await pending.getByRole('link').innerText()
  await page.getByLabel(text('payments_search'), { exact: true }).focus()
  await keyboard.insertText(reference)
  await page.locator('[data-walk="complete"]').waitFor()
  await page.waitForTimeout(1_000)
  await page.locator('[data-row-id]').first().focus()
  await record(
    'Found',
    `\`${reference}\` in the search field; \`Tab\` into the grid. The row has the focus.`,
    '[data-scroller]',
  )
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(1_500)
  await record('The payment', '`Enter` opens the row; the focus is in the panel.', '[role=dialog]')
  await page.getByRole('button', { name: text('cancelButton_cancelPayment'), exact: true }).focus()
  await keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await dialog.waitFor()
  await page.waitForTimeout(500)
  await record(
    'The question',
    '`Tab` to the button, `Enter`. The focus is in the reason; `Esc` keeps the payment.',
    '[role=alertdialog]',
  )
  await keyboard.press('Control+Enter')
  await dialog.locator('[aria-invalid="true"]').waitFor()
  await record(
    'Without a reason',
    '`Ctrl Enter` asks, and is told what is missing. The focus stays in the field.',
    '[role=alertdialog]',
  )
  await keyboard.insertText('The customer has paid by bank transfer')
  await keyboard.press('Control+Enter')
  await page.locator('[data-outcome="cancelled"]').first().waitFor({ timeout: 60_000 })
  await dialog.waitFor({ state: 'hidden' })
  // The row is refetched meanwhile.
  await page.waitForTimeout(3_000)
  await record(
    'What became of it',
    'The reason, `Ctrl Enter`. Each change of the outcome was said by a status; this is the end.',
    '[role=dialog]',
  )
  await keyboard.press('Escape')
  await page.waitForTimeout(500)
  await record('Back', '`Esc` closes the panel; the focus is on the row again.', '[data-scroller]')
  await context.close()
  return parts.join('\n')
}
