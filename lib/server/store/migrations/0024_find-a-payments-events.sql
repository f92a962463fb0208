ALTER TABLE "inbox_messages" ADD COLUMN "event_type" text;--> statement-breakpoint
ALTER TABLE "inbox_messages" ADD COLUMN "payment_id" text;--> statement-breakpoint
CREATE INDEX "inbox_messages_by_payment" ON "inbox_messages" USING btree ("connection_id",(case when "payment_id" ~ '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$' then lower("payment_id") else "payment_id" end));