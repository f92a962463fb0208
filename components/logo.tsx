/** The mark: money drawn into a desk, read as a D. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 8.5h6.2a7.5 7.5 0 0 1 0 15H9M22.5 16H10.2m3.6-3.8L10 16l3.8 3.8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
