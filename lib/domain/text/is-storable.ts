/** Whether the store can hold this very text; if not, no row has it. Postgres holds no NUL, and in jsonb no lone surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
