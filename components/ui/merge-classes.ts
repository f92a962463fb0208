/** Joins class names; what is false, null or empty is left out. Later classes do not override earlier ones. */
export function mergeClasses(...classes: readonly (string | false | null | undefined)[]): string {
  return classes.filter(Boolean).join(' ')
}
