import type { ProbeResult } from '@/lib/contract/inbox'
import * as words from '@/lib/words/webhooks'

/** What a probe found, in words, and whether one should think twice before subscribing. */
export function describeProbe(result: ProbeResult): { words: string; isDoubtful: boolean } {
  if (result.kind === 'own') return { words: words.thisIsTheInbox, isDoubtful: false }
  if (result.kind === 'hidden') return { words: words.nameLeadsToAnAddress, isDoubtful: true }
  if (result.kind === 'failed') {
    const told = {
      name: words.nameCannotBeFound,
      port: words.portIsOne,
      timeout: words.nothingAnsweredWithinSeconds,
      connection: words.nothingAnswersThere,
      certificate: words.itsCertificateIsNotTrusted,
    }[result.why]
    return { words: told, isDoubtful: true }
  }
  const { status, milliseconds } = result
  const answered = words.itAnswersWithInMs(status, milliseconds)
  if (status >= 300 && status < 400) return { words: words.redirectWhichMayNot(answered), isDoubtful: true }
  if (status === 404 || status === 410) return { words: words.nothingSeemsToStandThere(answered), isDoubtful: true }
  if (status >= 500) return { words: words.failure(answered), isDoubtful: true }
  return { words: `${answered}.`, isDoubtful: false }
}
