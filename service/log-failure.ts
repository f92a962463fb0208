/**
 * Tells an unexpected failure on standard error: names, codes and messages of it and its causes and where it
 * happened, without the parameters of a failed statement, which may be anybody's data or a token's hash.
 */
export function logFailure(what: string, error: unknown): void {
  const told: string[] = []
  let where = ''
  for (let one = error, depth = 0; one !== undefined && depth < 5; depth += 1) {
    if (!(one instanceof Error)) {
      told.push(typeof one === 'string' ? one : 'no error')
      break
    }
    const code = 'code' in one && typeof one.code === 'string' ? ` (${one.code})` : ''
    told.push(`${one.name}${code}: ${one.message.split('\nparams:', 1)[0]?.slice(0, 500)}`)
    where =
      one.stack
        ?.split('\n')
        .filter((line) => line.startsWith('    at '))
        .slice(0, 4)
        .join('\n') ?? where
    one = one.cause
  }
  console.error(`service: ${what}: ${told.join(', because of ')}\n${where}`)
}
