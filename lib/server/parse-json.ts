import { parse } from 'secure-json-parse'

const deepest = 64

/** How deep the brackets of a JSON text nest; strings do not count. Linear, without recursion. */
function measureDepth(text: string): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) most = Math.max(most, ++depth)
    else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return most
}

/**
 * Parses JSON from outside: keys that could change a prototype are dropped, and nesting past 64 levels is
 * refused, for what walks the value later is recursive. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  if (measureDepth(text) > deepest) throw new SyntaxError(`JSON nests deeper than ${deepest} levels`)
  return parse(text, undefined, { protoAction: 'remove', constructorAction: 'remove' })
}
