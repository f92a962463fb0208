DROP INDEX "bulks_running";--> statement-breakpoint
ALTER TABLE "bulks" ADD COLUMN "confirmed" jsonb;--> statement-breakpoint
CREATE INDEX "bulks_at_work" ON "bulks" USING btree ("connection_id","started_at") WHERE "bulks"."state" in ('starting', 'running');