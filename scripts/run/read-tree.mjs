/** Roles that say nothing without a name; their children stand in their place. */
const silent = new Set([
  'none',
  'generic',
  'InlineTextBox',
  'LineBreak',
  'LabelText',
  'ListMarker',
  'Section',
  'paragraph',
])
const told = [
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
const mostRows = 3

function tellStates({ properties = [] }) {
  return properties
    .filter(({ name, value }) => told.includes(name) && value.value !== false && value.value !== 'false')
    .map(({ name, value }) => (value.value === true || value.value === 'true' ? name : `${name}=${value.value}`))
}

function tellLine(node) {
  const name = node.name?.value ?? ''
  const value = node.value?.value
  return [
    node.role?.value === 'StaticText' ? 'text' : node.role?.value,
    name === '' ? '' : `“${name}”`,
    value === undefined || value === '' || value === name ? '' : `value “${value}”`,
    node.description?.value ? `described “${node.description.value}”` : '',
    ...tellStates(node),
  ]
    .filter(Boolean)
    .join(' ')
}

function writeNodes(nodes, id, depth, named) {
  const node = nodes.get(id)
  if (!node) return []
  const role = node.role?.value ?? ''
  const name = node.name?.value ?? ''
  const children = node.childIds ?? []
  // A text that only says its parent's name again.
  const isEcho = role === 'StaticText' && (name.trim() === '' || named.includes(name))
  if (role === 'StaticText') return isEcho ? [] : [`${'  '.repeat(depth)}${tellLine(node)}`]
  // Next's own announcer of pages stands empty at the end of each.
  const isEmptyAlert = role === 'alert' && children.length === 0
  const isShown = !node.ignored && !silent.has(role) && role !== 'RootWebArea' && !isEmptyAlert
  const within = isShown && name !== '' ? name : named
  const inner = (at) => writeNodes(nodes, at, isShown ? depth + 1 : depth, within)
  const lines = isShown ? [`${'  '.repeat(depth)}${tellLine(node)}`] : []
  const rows = children.filter((child) => nodes.get(child)?.role?.value === 'row')
  if (rows.length <= mostRows) return [...lines, ...children.flatMap(inner)]
  const left = `${'  '.repeat(depth + 1)}… ${rows.length - 2} rows more`
  return [...lines, ...rows.slice(0, 2).flatMap(inner), left]
}

/** The accessibility tree of the page, or of the element that a selector finds, as indented lines. */
export async function readTree(page, selector = 'body') {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { node } = await devtools.send('DOM.describeNode', { nodeId })
  const byId = new Map(nodes.map((one) => [one.nodeId, one]))
  const start = nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === node.backendNodeId)
  if (!start) throw new Error(`nothing in the tree stands for ${selector}`)
  return writeNodes(byId, start.nodeId, 0, '').join('\n')
}
