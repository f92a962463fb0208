ALTER TABLE "list_exports" ADD COLUMN "schedule_id" uuid;--> statement-breakpoint
ALTER TABLE "list_exports" ADD COLUMN "resumptions" integer DEFAULT 0 NOT NULL;