import { redirect } from 'next/navigation'

/** Until the overview is built, the desk opens on its main job. */
export default function OverviewPage() {
  redirect('/payments')
}
