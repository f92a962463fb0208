import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copyMigratedFolder } from '@/lib/database/testing/copy-migrated-folder'

const migrations = {
  desk: join(process.cwd(), 'lib/server/store/migrations'),
  service: join(process.cwd(), 'service/store/migrations'),
}

/** Gives a data folder that is new an empty database of each program: making them takes longer than many a journey. */
export async function prepareData(dataDir: string, programs: readonly (keyof typeof migrations)[]): Promise<void> {
  for (const program of programs) {
    const folder = join(dataDir, program)
    if (!existsSync(folder)) await copyMigratedFolder(folder, migrations[program])
  }
}
