/**
 * Text as Postgres keeps it: U+FFFD in place of NUL, which neither text nor jsonb holds, and of lone surrogates, which jsonb
 * refuses. Texts of the upstream API may have both, and one would end the statement, whatever else is in it.
 */
export function toStorable<Value extends string | number | null>(value: Value): Value | string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\u{FFFD}') : value
}
