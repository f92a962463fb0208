import { defineConfig } from 'drizzle-kit'

/** The service's database: `npx drizzle-kit generate --config drizzle.service.config.ts --name what-changes`. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './service/store/*schema.ts',
  out: './service/store/migrations',
})
