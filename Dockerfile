# Builds with all packages; the second stage copies what `npm run image` put together, and Node alone runs there.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run image

FROM node:24-bookworm-slim
# Nothing installs packages any more.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn /usr/local/bin/yarnpkg \
  && mkdir /data && chown 65532:65532 /data && chmod 0700 /data
WORKDIR /app
COPY --from=build /build/image ./
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 DATA_DIR=/data/desk
# Without a name in /etc/passwd. It owns nothing in /app, which may be read-only.
USER 65532:65532
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "programs/health.mjs"]
# The dashboard answers what it was asked and exits with 0 within 35 s.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=64", "programs/desk.mjs"]
