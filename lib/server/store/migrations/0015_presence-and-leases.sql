CREATE TABLE "desk_presence" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "list_exports" ADD COLUMN "lease_until" timestamp (3) with time zone;