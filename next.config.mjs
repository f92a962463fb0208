/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  productionBrowserSourceMaps: false,
  // No source maps (SC-04): the server keeps the names of its functions instead, for the frames in its log.
  experimental: { turbopackSourceMaps: false, turbopackMinify: { server: false, client: true } },
  images: { unoptimized: true },
  // Browsers ask for it by themselves where a page is left before its head was read.
  rewrites: async () => [{ source: '/favicon.ico', destination: '/favicon.svg' }],
  distDir: process.env.DIST_DIR ?? '.next',
  serverExternalPackages: ['@electric-sql/pglite', '@node-rs/argon2', 'pino', 'pg', 'undici'],
  typescript: { ignoreBuildErrors: true }, // `npm test` checks types once, with the native compiler
}
