/** Whether an error is one of parseArgs: the command was called in another way than its usage says. */
export function isArgumentError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}
