const replyTypes = ['application/json', 'text/json', 'text/plain'] as const
const problemTypes = [...replyTypes, 'application/problem+json'] as const

type Wish = { type: string; quality: number }

function readAccept(accept: string): Wish[] {
  return accept.split(',').flatMap((part): Wish[] => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const quality = weight === undefined ? 1 : Number(weight)
    return type !== '' && quality > 0 && quality <= 1 ? [{ type, quality }] : []
  })
}

/**
 * Chooses the media type of a reply from Accept (RFC 9110, 12.5.1): one of the three that the interface
 * names, and application/problem+json for refusals where it is asked for by name. What cannot be
 * satisfied gets application/json.
 */
export function chooseReplyType(accept: string | undefined, problem = false): string {
  const wishes = readAccept(accept ?? '').toSorted((one, other) => other.quality - one.quality)
  const offered: readonly string[] = problem ? problemTypes : replyTypes
  for (const { type } of wishes) {
    if (type === '*/*') return replyTypes[0]
    if (offered.includes(type)) return type
    const range = type.endsWith('/*') ? type.slice(0, -1) : null
    const fitting = range && replyTypes.find((one) => one.startsWith(range))
    if (fitting) return fitting
  }
  return replyTypes[0]
}

/** Whether a Content-Type is one that bodies may have (interface, section 4), in UTF-8. */
export function isJsonType(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((piece) => piece.trim().toLowerCase())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') return false
  return type === 'application/json' || type === 'text/json' || /^application\/[\w!#$&^.-]{1,100}\+json$/u.test(type)
}
