import { type KnownSchemeData, isKnownScheme, normalizeSchemeData } from '@/lib/domain/agreements'
import { explainLoss } from '@/lib/domain/typed-json'
import * as m from '@/lib/messages/m'

/** The form values of an agreement. */
export type AgreementFormValues = {
  /** One of the known schemes, `other`, or '' while none is chosen. */
  choice: string
  /** The name of another scheme. */
  scheme: string
  schemeData: KnownSchemeData
  /** The editor for another scheme's data. */
  editor: 'pairs' | 'json'
  pairs: { key: string; value: string }[]
  json: string
  test: boolean
  dataSourceHandle: string
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    // A string fails the validation, which reports it at the field.
    return text
  }
}

/** The pairs with a key, trimmed. */
export function parsePairs(pairs: AgreementFormValues['pairs']): [key: string, value: string][] {
  return pairs.map(({ key, value }): [string, string] => [key.trim(), value]).filter(([key]) => key !== '')
}

function parseSchemeData({ choice, schemeData, editor, pairs, json }: AgreementFormValues): unknown {
  if (isKnownScheme(choice)) {
    const filled = Object.entries(normalizeSchemeData(schemeData)).filter(([, value]) => value !== '')
    return filled.length === 0 ? undefined : Object.fromEntries(filled)
  }
  if (editor === 'json') return parseJson(json)
  const filled = parsePairs(pairs)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

/** Rejects duplicate keys, of whose values only one could be sent, and numbers that could not be sent as they are. */
export function checkEditor({ choice, editor, pairs, json }: AgreementFormValues): Readonly<Record<string, string>> {
  if (choice !== 'other') return {}
  if (editor === 'json') {
    const loss = explainLoss(json)
    return loss === null ? {} : { schemeData: loss }
  }
  const keys = parsePairs(pairs).map(([key]) => key)
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index)
  return duplicate === undefined ? {} : { schemeData: m.freeForm_holdsTwice({ key: duplicate }) }
}

/** The body of POST /Merchants/agreements, without empty fields. */
export function parseAgreementBody(typed: AgreementFormValues): unknown {
  const { choice, scheme, test, dataSourceHandle } = typed
  const schemeData = parseSchemeData(typed)
  return {
    scheme: choice === 'other' ? scheme : choice,
    ...(schemeData !== undefined && { schemeData }),
    test,
    ...(dataSourceHandle.trim() !== '' && { dataSourceHandle: dataSourceHandle.trim() }),
  }
}
