import { showInvisible } from '@/lib/format/show-invisible'

/** Chromium shapes a long kerned word anew for each of its lines: a few of 10,000 letters would hold a page for a minute. */
const longestKerned = 200

/** A name as the service said it, apart from the sentence around it: no letter of it can turn or hide what stands beside. */
export function Said({ children }: { children: string }) {
  return (
    <bdi dir="auto" className={children.length > longestKerned ? 'wrap-anywhere [font-kerning:none]' : 'wrap-anywhere'}>
      {showInvisible(children)}
    </bdi>
  )
}
