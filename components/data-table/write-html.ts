import type { ReactNode } from 'react'
import { attributes, flatten, type Piece } from './paint-element'

/** Elements that have no end tag (HTML, 13.1.2). */
const isVoid = new Set(['br', 'hr', 'img', 'input', 'wbr'])

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const special = /["'&<>]/u
const specials = /["'&<>]/gu

function escape(text: string): string {
  return special.test(text) ? text.replace(specials, (sign) => entities[sign] ?? '') : text
}

function writeProp(name: string, value: unknown): string {
  if (name === 'children' || name === 'onChange' || value === undefined || value === null) return ''
  if (name === 'checked') return value === true ? ' checked=""' : ''
  // Of true and false only `aria-` knows what to write.
  const isText = ['string', 'number'].includes(typeof value) || name.startsWith('aria-')
  if (!isText) throw new TypeError('A cell has attributes of text.')
  return ` ${attributes[name] ?? name}="${escape(`${value as string | number | boolean}`)}"`
}

function writePiece(piece: Piece): string {
  if (typeof piece === 'string') return escape(piece)
  const { props, type } = piece
  let html = `<${type as string}`
  for (const name of Object.keys(props)) html += writeProp(name, props[name])
  if (isVoid.has(type as string)) return `${html}>`
  return `${html}>${writeHtml(props['children'] as ReactNode)}</${type as string}>`
}

/**
 * JSX of elements and text alone, as HTML: what `paint` draws. React takes three times as long to write a row's cells,
 * for it writes each attribute by itself.
 */
export function writeHtml(node: ReactNode): string {
  return flatten(node).map(writePiece).join('')
}
