import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'

/** @type {import('next').NextConfig} */
const config = {
  // For `npm run image` alone, which puts our server in place of the one that this makes (decision 0141).
  ...(process.env.STANDALONE === 'yes' && { output: 'standalone' }),
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  // No source maps (SC-04): the server keeps the names of its functions instead, for the frames in its log.
  experimental: { turbopackSourceMaps: false, turbopackMinify: { server: false, client: true } },
  images: { unoptimized: true },
  // Browsers ask for it by themselves where a page is left before its head was read.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/favicon.svg' }],
  // The browser loads the messages that a page names; the server has them all, in one module.
  turbopack: { resolveAlias: { '@/lib/messages/m': { browser: './lib/messages/modules/m.ts' } } },
  distDir: process.env.DIST_DIR ?? '.next',
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'pino',
    'nodemailer',
    'pg',
    'undici',
    'prom-client',
    '@opentelemetry/api',
  ],
  // `next build` checks types. What `npm start` and the tests build by themselves was checked before, or is beside it: it
  // takes 14 s of the 53 s of a first build (two cores).
  typescript: { ignoreBuildErrors: process.env.SKIP_TYPES === 'yes' },
}

/**
 * Compiles the messages for a build and for `next dev`; a built desk has them.
 * @param {string} phase
 */
export default async function configure(phase) {
  if (phase !== PHASE_PRODUCTION_SERVER) (await import('./scripts/support/compile-messages.mjs')).ensureMessages()
  return config
}
