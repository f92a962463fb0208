DROP INDEX "payments_by_status_and_schedule";--> statement-breakpoint
DROP INDEX "payments_by_status_and_creation";--> statement-breakpoint
CREATE INDEX "payments_by_status_and_schedule" ON "payments" USING btree ("merchant_id","status","schedule_date","id","created_at");--> statement-breakpoint
CREATE INDEX "payments_by_status_and_creation" ON "payments" USING btree ("merchant_id","status","created_at","id","schedule_date");