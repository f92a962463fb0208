import { openDatabase } from '@/lib/database/open-database'
import { appendActivity } from '../../activity-log/append'
import { storeMigrations } from '../../store/store'

/** What a process appends: rows by concurrent `writers`; its only argument, as JSON. */
export type ActivityLife = { url: string; name: string; writers: number; rows: number }

const { url, name, writers, rows }: ActivityLife = JSON.parse(process.argv[2] ?? '')
const { db, close } = await openDatabase({ url, migrationsFolder: storeMigrations })

async function write(writer: number): Promise<void> {
  for (let row = 0; row < rows; row += 1) {
    await db.transaction((tx) =>
      appendActivity(tx, {
        connectionId: 'default',
        actor: `${name}-${writer}@example.com`,
        action: 'cancellation.intended',
        objectKind: 'payment',
        objectId: `${name}-${writer}-${row}`,
        details: { text: `Grund ${row}`, seen: { amount: row, status: null } },
      }),
    )
  }
}

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
await close()
