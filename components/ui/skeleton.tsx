import { mergeClasses } from './merge-classes'

/** A place holder of the size of what follows (give it height and width). Silent to assistive technology. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={mergeClasses('shimmer block rounded-md', className)} />
}
