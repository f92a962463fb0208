import * as m from '@/lib/messages/m'

/** A part of the page that couldn't be loaded. */
export function NotLoaded() {
  return (
    <p role="alert" className="corner-note">
      {m.shellControls_notLoaded()}
    </p>
  )
}
