-- What the desk needs of Postgres from day to day, and no more: it cannot change tables, nor delete a cancellation or a row of
-- the activity log, nor change one but for texts of people that are erased. Run it as the owner of the database, after `npm run migrate` of each version, or let `npm run migrate -- --role ROLE` do it:
--   psql "$OWNER_URL" -v role=debitdesk -f lib/server/store/postgres-role.sql
GRANT USAGE ON SCHEMA public, drizzle TO :"role";
GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO :"role";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"role";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO :"role";
-- For npm run backup, which reads where they are.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public, drizzle TO :"role";
REVOKE UPDATE, DELETE ON activity FROM :"role";
-- Erasing a person's texts, which a trigger keeps to itself and the chain's hashes survive.
GRANT UPDATE (details, salts) ON activity TO :"role";
REVOKE DELETE ON cancellations FROM :"role";
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
