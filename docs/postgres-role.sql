-- What the desk needs of Postgres from day to day, and no more: it cannot change tables, nor what is in the activity
-- log, nor delete a cancellation. Run it as the owner of the database, after `npm run migrate` of each version:
--   psql "$OWNER_URL" -v role=debitdesk -f docs/postgres-role.sql
GRANT USAGE ON SCHEMA public, drizzle TO :"role";
GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"role";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO :"role";
REVOKE UPDATE, DELETE ON activity FROM :"role";
REVOKE DELETE ON cancellations FROM :"role";
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
