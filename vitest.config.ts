import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/u, '') } },
  test: {
    include: ['{app,components,lib,service,scripts}/**/*.test.{ts,tsx,mjs}'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
