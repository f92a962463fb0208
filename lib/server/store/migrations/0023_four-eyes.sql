ALTER TABLE "connections" ADD COLUMN "approval" jsonb;--> statement-breakpoint
ALTER TABLE "bulks" ADD COLUMN "requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bulks" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bulks" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "bulks" ADD COLUMN "decided_by" text;--> statement-breakpoint
ALTER TABLE "bulks" ADD COLUMN "decision_note" text;