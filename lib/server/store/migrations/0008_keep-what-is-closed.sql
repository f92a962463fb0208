ALTER TABLE "cancellations" ADD COLUMN "undecided_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "checked" jsonb;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "handled" jsonb;--> statement-breakpoint
CREATE FUNCTION "keep_closed_cancellation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' THEN
		RAISE EXCEPTION 'a cancellation is never deleted' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	IF OLD."handled" IS NOT NULL AND NEW."handled" IS DISTINCT FROM OLD."handled" THEN
		RAISE EXCEPTION 'a cancellation is handled once' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	-- A later look and a person's note stand beside what is closed; nothing else of it changes.
	IF OLD."closed_at" IS NOT NULL
		AND (to_jsonb(NEW) - 'checked' - 'handled') IS DISTINCT FROM (to_jsonb(OLD) - 'checked' - 'handled') THEN
		RAISE EXCEPTION 'a closed cancellation does not change' USING ERRCODE = 'integrity_constraint_violation';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "cancellations_keep_closed" BEFORE UPDATE OR DELETE ON "cancellations"
FOR EACH ROW EXECUTE FUNCTION "keep_closed_cancellation"();
