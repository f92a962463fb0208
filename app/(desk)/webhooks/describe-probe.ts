import type { ProbeResult } from '@/lib/contract/inbox'

/** What a probe found, in words, and whether one should think twice before subscribing. */
export function describeProbe(result: ProbeResult): { words: string; isDoubtful: boolean } {
  if (result.kind === 'own') return { words: 'This is the inbox of this desk.', isDoubtful: false }
  if (result.kind === 'hidden') return { words: 'The name leads to an address of a private network.', isDoubtful: true }
  if (result.kind === 'failed') {
    const words = {
      name: 'The name cannot be found.',
      port: 'The port is one that this desk does not call.',
      timeout: 'Nothing answered within 5 seconds.',
      connection: 'Nothing answers there.',
      certificate: 'Its certificate is not trusted.',
    }[result.why]
    return { words, isDoubtful: true }
  }
  const { status, milliseconds } = result
  const answered = `It answers, with ${status} in ${milliseconds} ms`
  if (status >= 300 && status < 400)
    return { words: `${answered}: a redirect, which may not be followed.`, isDoubtful: true }
  if (status === 404 || status === 410) return { words: `${answered}: nothing seems to stand there.`, isDoubtful: true }
  if (status >= 500) return { words: `${answered}: a failure.`, isDoubtful: true }
  return { words: `${answered}.`, isDoubtful: false }
}
