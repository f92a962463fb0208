CREATE TABLE "clock_readings" (
	"id" integer PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- Until now the reading was not kept: the latest moment that was written is the nearest to it.
INSERT INTO "clock_readings" ("id", "at")
SELECT 1, max("at") FROM (
	SELECT max("modified_at") AS "at" FROM "payments"
	UNION ALL SELECT max("cancel_at") FROM "payments"
	UNION ALL SELECT max("modified_at") FROM "mandates"
	UNION ALL SELECT max("at") FROM "events"
	UNION ALL SELECT max("at") FROM "stored_answers"
) AS "moments" HAVING max("at") IS NOT NULL;
