ALTER TABLE "activity" ADD COLUMN "salts" jsonb;--> statement-breakpoint
-- Texts of a person are erased in a transaction that says so; everything else of a row stays as it was written.
CREATE OR REPLACE FUNCTION "activity_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		IF current_setting('debitdesk.erasing', true) = 'on'
			AND (to_jsonb(NEW) - 'details' - 'salts') IS NOT DISTINCT FROM (to_jsonb(OLD) - 'details' - 'salts') THEN
			RETURN NEW;
		END IF;
	END IF;
	RAISE EXCEPTION 'activity is append-only';
END
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "keep_closed_cancellation"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	texts text[] := ARRAY['checked', 'handled'];
BEGIN
	IF TG_OP = 'DELETE' THEN
		RAISE EXCEPTION 'a cancellation is never deleted' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	IF current_setting('debitdesk.erasing', true) = 'on' THEN
		texts := ARRAY['checked', 'handled', 'reason', 'detail', 'evidence'];
	ELSIF OLD."handled" IS NOT NULL AND NEW."handled" IS DISTINCT FROM OLD."handled" THEN
		RAISE EXCEPTION 'a cancellation is handled once' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	-- A later look and a person's note stand beside what is closed; nothing else of it changes.
	IF OLD."closed_at" IS NOT NULL AND (to_jsonb(NEW) - texts) IS DISTINCT FROM (to_jsonb(OLD) - texts) THEN
		RAISE EXCEPTION 'a closed cancellation does not change' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;
