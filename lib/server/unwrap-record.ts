import type * as z from 'zod'
import { isRecord } from '@/lib/contract/is-record'

/** Names under which services put the record that was asked for. */
const wrappers = ['data', 'result', 'results', 'value', 'item', 'items', 'record', 'customer', 'mandate', 'agreement']
const deepest = 3

/** The fields that a reading knows: it names each even of a record that has none. */
function listFields(reading: z.ZodType): string[] {
  const read = reading.safeParse({})
  return read.success && typeof read.data === 'object' && read.data !== null ? Object.keys(read.data) : []
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

function unwrap(json: unknown, fields: readonly string[], depth: number): unknown {
  if (isEmpty(json)) return null
  if (Array.isArray(json)) return json.length === 1 ? unwrap(json[0], fields, depth) : json
  if (typeof json !== 'object' || json === null || depth >= deepest) return json
  const members = Object.entries(json)
  if (members.some(([name]) => fields.includes(name.toLowerCase()))) return json
  const named = members.filter(([name]) => wrappers.includes(name.toLowerCase()))
  const [found, ...others] = named.length > 0 ? named : members
  if (!found || others.length > 0) return json
  const [, held] = found
  const isOne = isRecord(held) || (Array.isArray(held) && held.length === 1 && isRecord(held[0]))
  if (isOne) return unwrap(held, fields, depth + 1)
  return named.length > 0 && isEmpty(held) ? null : json
}

/**
 * The one record in a reply whose shape is not shown: the reply itself, the only element of a list, or what stands
 * under one of the usual names, or alone, in a record that has no field of its own. Null where it holds nothing.
 */
export function unwrapRecord(json: unknown, reading: z.ZodType): unknown {
  const fields = listFields(reading).map((field) => field.toLowerCase())
  return unwrap(json, fields, 0)
}
