DROP INDEX "cancellations_one_open";--> statement-breakpoint
DROP INDEX "cancellations_by_payment";--> statement-breakpoint
ALTER TABLE "cancellations" ALTER COLUMN "seen" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "unread" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "state_since" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "outcome_reason" text;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "detail" text;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "last_read" text;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "agreeing_reads" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "last_found_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "cancellations_one_open" ON "cancellations" USING btree ("connection_id",lower("payment_id")) WHERE "cancellations"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "cancellations_by_payment" ON "cancellations" USING btree ("connection_id",lower("payment_id"),"created_at");--> statement-breakpoint
ALTER TABLE "cancellations" DROP COLUMN "cancellable_reads";