import type { IconNode } from 'lucide'
import { createElement } from 'react'
import { mergeClasses } from './merge-classes'

type IconProps = { icon: IconNode; className?: string; strokeWidth?: number }

/** A drawing of lucide beside words that say the same: it is not read out. `className` gives its size (icon.css). */
export function Icon({ icon, className, strokeWidth }: IconProps) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" strokeWidth={strokeWidth} className={mergeClasses('icon', className)}>
      {icon.map(([element, attributes], place) => createElement(element, { key: place, ...attributes }))}
    </svg>
  )
}
