import { Fragment, isValidElement, type ReactElement, type ReactNode } from 'react'

/*
 * Draws JSX of elements and text alone, without components, hooks and handlers, and draws others over what it drew.
 * A row that is scrolled in costs what of it is another than in the row that left.
 */

export type Painted = ReactElement<Record<string, unknown>>
export type Piece = string | Painted

/** Props whose attributes have another name. */
export const attributes: Record<string, string> = { className: 'class', dateTime: 'datetime', tabIndex: 'tabindex' }

/** What React sees in `node`, in order: text that stands side by side is one piece. */
export function flatten(node: ReactNode, pieces: Piece[] = []): Piece[] {
  if (typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint') {
    const text = String(node)
    const before = pieces.at(-1)
    if (typeof before === 'string') pieces[pieces.length - 1] = before + text
    else if (text) pieces.push(text)
  } else if (Array.isArray(node)) {
    for (const one of node) flatten(one, pieces)
  } else if (isValidElement<Record<string, unknown>>(node)) {
    if (node.type === Fragment) flatten(node.props.children as ReactNode, pieces)
    else if (typeof node.type === 'string') pieces.push(node)
    else throw new TypeError('Only elements and text.')
  }
  return pieces
}

function readChildren({ props }: Painted): Piece[] {
  return flatten(props.children as ReactNode)
}

function setStyle(element: HTMLElement, before: unknown, after: unknown): void {
  const known = (before ?? {}) as Record<string, string>
  const wanted = (after ?? {}) as Record<string, string>
  for (const [name, value] of Object.entries(wanted)) {
    if (known[name] !== value) element.style.setProperty(name, value)
  }
  for (const name of Object.keys(known)) if (!(name in wanted)) element.style.removeProperty(name)
}

function setProp(element: HTMLElement, name: string, before: unknown, after: unknown): void {
  if (name === 'children' || name === 'onChange') return
  // The reader changes it too.
  if (name === 'checked') (element as HTMLInputElement).checked = after === true
  else if (name === 'style') setStyle(element, before, after)
  else if (before === after) return
  else if (after === undefined || after === null) element.removeAttribute(attributes[name] ?? name)
  else element.setAttribute(attributes[name] ?? name, `${after as string | number | boolean}`)
}

/** A new node that shows a piece. */
export function paint(piece: Piece): HTMLElement | Text {
  if (typeof piece === 'string') return document.createTextNode(piece)
  const element = document.createElement(piece.type as string)
  for (const [name, value] of Object.entries(piece.props)) setProp(element, name, undefined, value)
  for (const child of readChildren(piece)) element.append(paint(child))
  return element
}

/** Whether a node is what was painted of a piece: extensions of the browser, such as a translation, change pages too. */
function isOf(node: Node, piece: Painted): node is HTMLElement {
  return (node as Element).localName === piece.type
}

function paintChildren(element: HTMLElement, before: Painted, after: Painted): void {
  const [was, is] = [before.props.children, after.props.children]
  const first = element.firstChild
  if (typeof was === 'string' && typeof is === 'string' && first instanceof Text && first === element.lastChild) {
    if (was !== is) first.data = is
    return
  }
  const [old, pieces] = [readChildren(before), readChildren(after)]
  const nodes = element.childNodes
  if (old.length !== pieces.length || nodes.length !== pieces.length) {
    element.replaceChildren(...pieces.map(paint))
    return
  }
  for (const [place, piece] of pieces.entries()) {
    const [known, node] = [old[place], nodes[place]]
    if (known === undefined || node === undefined) continue
    if (typeof piece === 'string' && typeof known === 'string' && node instanceof Text) {
      if (piece !== known) node.data = piece
    } else if (typeof piece !== 'string' && typeof known !== 'string' && piece.type === known.type && isOf(node, piece))
      paintOver(node, known, piece)
    else node.replaceWith(paint(piece))
  }
}

/** Makes what shows `before` show `after`, which is of the same type. */
export function paintOver(element: HTMLElement, before: Painted, after: Painted): void {
  for (const name of Object.keys(after.props)) setProp(element, name, before.props[name], after.props[name])
  for (const name of Object.keys(before.props)) {
    if (!(name in after.props)) setProp(element, name, before.props[name], undefined)
  }
  paintChildren(element, before, after)
}
