/** So many of a thing, in words: `1 row`, `2 rows`. */
export function countThings(count: number, thing: 'field' | 'page' | 'read' | 'row'): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`
}
