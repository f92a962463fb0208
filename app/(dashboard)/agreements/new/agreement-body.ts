import { type KnownSchemeData, isKnownScheme } from '@/lib/domain/agreements'
import { holdsTwice } from '@/lib/words/new-agreement'

/** What the form of an agreement holds. */
export type TypedAgreement = {
  /** One of the known schemes, `other`, or '' while none is chosen. */
  choice: string
  /** The name of another scheme. */
  scheme: string
  schemeData: KnownSchemeData
  /** How another scheme's data is typed. */
  editor: 'pairs' | 'json'
  pairs: { key: string; value: string }[]
  json: string
  test: boolean
  dataSourceHandle: string
}

function readJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    // The text itself is no object: the check says so at the field.
    return text
  }
}

/** The pairs whose key is filled in, without the blanks around it. */
export function parsePairs(pairs: TypedAgreement['pairs']): [key: string, value: string][] {
  return pairs.map(({ key, value }): [string, string] => [key.trim(), value]).filter(([key]) => key !== '')
}

function readSchemeData({ choice, schemeData, editor, pairs, json }: TypedAgreement): unknown {
  if (isKnownScheme(choice)) {
    const filled = Object.entries(schemeData).filter(([, value]) => value.trim() !== '')
    return filled.length === 0 ? undefined : Object.fromEntries(filled.map(([name, value]) => [name, value.trim()]))
  }
  if (editor === 'json') return readJson(json)
  const filled = parsePairs(pairs)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

/** A key that is typed twice: only one of its values could be sent. */
export function checkPairs({ choice, editor, pairs }: TypedAgreement): Readonly<Record<string, string>> {
  if (choice !== 'other' || editor !== 'pairs') return {}
  const keys = parsePairs(pairs).map(([key]) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  return twice === undefined ? {} : { schemeData: holdsTwice(twice) }
}

/** The body of POST /Merchants/agreements; what was left empty is not sent. */
export function parseAgreementBody(typed: TypedAgreement): unknown {
  const { choice, scheme, test, dataSourceHandle } = typed
  const schemeData = readSchemeData(typed)
  return {
    scheme: choice === 'other' ? scheme : choice,
    ...(schemeData !== undefined && { schemeData }),
    test,
    ...(dataSourceHandle.trim() !== '' && { dataSourceHandle: dataSourceHandle.trim() }),
  }
}
