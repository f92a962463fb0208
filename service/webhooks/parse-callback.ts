import { Problem } from '../http/problem'

function refuse(reason: string): Problem {
  return new Problem('validation', `webhookUrl: ${reason}.`, { errors: { webhookUrl: [reason] } })
}

/** Reads a callback address and answers its canonical form. Throws Problem `validation`. */
export function parseCallback(text: string): string {
  if (!URL.canParse(text)) throw refuse('must be an address such as https://example.com/hooks')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('must be an https address')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or password')
  if (url.hash !== '') throw refuse('must not hold a fragment')
  return url.href
}
