import { defineConfig } from 'drizzle-kit'

/** The desk's store: `npx drizzle-kit generate --config drizzle.store.config.ts --name what-changes`. */
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./lib/server/store/schema.ts', './lib/server/store/*-schema.ts'],
  out: './lib/server/store/migrations',
})
