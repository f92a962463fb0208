import { showInvisible } from '@/lib/format/show-invisible'

/** A name as the service said it, apart from the sentence around it: no letter of it can turn or hide what stands beside. */
export function Said({ children }: { children: string }) {
  return (
    <bdi dir="auto" className="wrap-anywhere">
      {showInvisible(children)}
    </bdi>
  )
}
