/** Reads a field by the name that filters and orders give it: `customer/name` is the name inside customer. */
export function readField(row: unknown, field: string): unknown {
  let value: unknown = row
  for (const name of field.split('/')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? null
}
