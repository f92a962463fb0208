DROP INDEX "payments_by_amount";--> statement-breakpoint
CREATE INDEX "payments_by_amount" ON "payments" USING btree ("merchant_id","amount","id","customer_search");