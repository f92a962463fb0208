import { mergeClasses } from './merge-classes'

/** A placeholder; `className` sets its size. Hidden from assistive technology. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={mergeClasses('shimmer block rounded-md', className)} />
}
