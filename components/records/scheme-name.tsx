import { nameScheme } from '@/lib/domain/schemes'
import { UntrustedText } from '../ui/untrusted-text'

/** A scheme as people know it, with its code on hover; the code itself where the desk knows no name. */
export function SchemeName({ code }: { code: string }) {
  const name = nameScheme(code)
  return name === null ? <UntrustedText>{code}</UntrustedText> : <span title={code}>{name}</span>
}
