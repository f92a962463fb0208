# The dashboard's commands beside Postgres's client, for `npm run backup` and `npm run restore` in containers.
ARG VERSION=0.1.0
FROM debitdesk:${VERSION} AS desk

FROM postgres:17-bookworm
COPY --from=desk /usr/local/bin/node /usr/local/bin/
COPY --from=desk /app/ /app/
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data/desk
USER 65532:65532
ENTRYPOINT []
CMD ["node", "programs/backup.mjs", "/backups"]
