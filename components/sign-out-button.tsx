/** Placeholder until sign-out is built. */
export function SignOutButton({ className }: { className?: string }) {
  return (
    <button type="button" className={className}>
      Sign out
    </button>
  )
}
