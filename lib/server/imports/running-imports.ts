declare global {
  /** The imports that this process works on; on globalThis because Next loads this module once per graph. */
  var debitdeskImports: Set<string> | undefined
}

/** Ids of the imports that this process works on. */
export function getRunningImports(): Set<string> {
  return (globalThis.debitdeskImports ??= new Set())
}
