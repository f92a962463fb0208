import type { NamedView, ViewPage } from '@/lib/contract/saved-view'
import { RememberWhileStill } from '../remember-while-still'
import type { Session } from '../session'
import { requireOpenStore } from '../store/require-store'
import { readColumnChoice } from './column-choices'
import { nameViews, readDefaultView } from './saved-views'

/** How somebody has a list: the query of the view that opens it, the columns, and the views in sight, by name. */
export type OwnList = { opens: string | null; columns: string | null; views: NamedView[] }

const remembered = new RememberWhileStill<OwnList>()

/** How the session's user has a list. Throws Failure 'store-unavailable', and what the store throws. */
export async function readOwnList(session: Session, list: ViewPage): Promise<OwnList> {
  const { db, countWrites } = await requireOpenStore()
  return remembered.read(`${session.userId} ${session.scope.connectionId} ${list}`, countWrites, async () => {
    const [opens, columns, views] = await Promise.all([
      readDefaultView(db, session, list),
      readColumnChoice(db, session, list),
      nameViews(db, session, list),
    ])
    return { opens, columns, views }
  })
}
