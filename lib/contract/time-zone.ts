/** Whether a name such as `Europe/Copenhagen` is a time zone of IANA's. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
