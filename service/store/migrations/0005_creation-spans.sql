CREATE TABLE "creation_spans" (
	"merchant_id" uuid NOT NULL,
	"field" text collate "C" NOT NULL,
	"day" timestamp (3) with time zone NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "creation_spans_merchant_id_field_day_pk" PRIMARY KEY("merchant_id","field","day")
);
--> statement-breakpoint
ALTER TABLE "creation_spans" ADD CONSTRAINT "creation_spans_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE FUNCTION "note_creation_spans"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- In one order, so that two transactions do not wait for each other.
	INSERT INTO "creation_spans" ("merchant_id", "field", "day", "first_at", "last_at")
	SELECT "merchant_id", "field", "day", min("created_at"), max("created_at")
	FROM "added", LATERAL (VALUES ('paymentDate', "payment_date"), ('scheduleDate', "schedule_date")) AS "dates" ("field", "day")
	GROUP BY "merchant_id", "field", "day" ORDER BY "merchant_id", "field", "day"
	ON CONFLICT ("merchant_id", "field", "day") DO UPDATE
	SET "first_at" = least("creation_spans"."first_at", excluded."first_at"), "last_at" = greatest("creation_spans"."last_at", excluded."last_at")
	WHERE excluded."first_at" < "creation_spans"."first_at" OR excluded."last_at" > "creation_spans"."last_at";
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "payments_creation_spans" AFTER INSERT ON "payments" REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "note_creation_spans"();--> statement-breakpoint
INSERT INTO "creation_spans" ("merchant_id", "field", "day", "first_at", "last_at")
SELECT "merchant_id", "field", "day", min("created_at"), max("created_at")
FROM "payments", LATERAL (VALUES ('paymentDate', "payment_date"), ('scheduleDate', "schedule_date")) AS "dates" ("field", "day")
GROUP BY "merchant_id", "field", "day";
