/** Messages in one line: what is no sentence that ends is followed by a semicolon. */
export function joinMessages(messages: readonly string[]): string {
  return messages
    .map((message, index) => (index === messages.length - 1 || /[.!?…]$/u.test(message) ? message : `${message};`))
    .join(' ')
}
