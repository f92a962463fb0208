import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a folder of migrations, each a list of statements, in drizzle-kit's format; returns its path. */
export async function makeMigrations(root: string, migrations: readonly (readonly string[])[]): Promise<string> {
  const folder = await mkdtemp(join(root, 'migrations-'))
  await mkdir(join(folder, 'meta'))
  const entries = migrations.map((_, idx) => ({
    idx,
    version: '7',
    when: 1_000 + idx,
    tag: `000${idx}`,
    breakpoints: true,
  }))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  for (const [index, statements] of migrations.entries())
    await writeFile(join(folder, `000${index}.sql`), statements.join('--> statement-breakpoint\n'))
  return folder
}
