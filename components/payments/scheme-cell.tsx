import { emptyValue } from '../data-table/cells'
import { SchemeName } from './badges'

/** A scheme in a list's cell, by its name, with the code on hover. */
export function SchemeCell({ code }: { code: string | null | undefined }) {
  return code ? <SchemeName code={code} /> : emptyValue
}
