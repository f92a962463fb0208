import type { IconName } from 'lucide-react/dynamic'
import { mergeClasses } from './merge-classes'

/** The class that draws an icon of lucide, with another width of its strokes than 2 (scripts/run/icon-classes.mjs). */
export type IconClass = `icon-${IconName}${'' | '/1.5' | '/1.75'}`

/** An icon beside words that say the same: it is not read out. `className` gives its size. */
export function Icon({ icon, className }: { icon: IconClass; className?: string }) {
  return <span aria-hidden="true" className={mergeClasses('icon', icon, className)} />
}
