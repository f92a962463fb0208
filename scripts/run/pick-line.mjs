/** The line of stderr that says most to people: the message of an uncaught error, else the last one. */
export function pickLine(text) {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.findLast((line) => /^(Uncaught )?\w*Error\b.*: /u.test(line)) ?? lines.at(-1) ?? ''
}
