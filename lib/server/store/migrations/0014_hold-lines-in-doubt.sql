ALTER TABLE "customer_import_rows" ADD COLUMN "sendings" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "sent_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "known_before" jsonb;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "looks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "misses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "looked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "held_for" text;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "candidates" jsonb;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD COLUMN "settled_by" text;