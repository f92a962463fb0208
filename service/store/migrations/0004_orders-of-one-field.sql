CREATE INDEX "payments_by_status" ON "payments" USING btree ("merchant_id","status","id");--> statement-breakpoint
CREATE INDEX "payments_by_currency" ON "payments" USING btree ("merchant_id","currency","id");--> statement-breakpoint
CREATE INDEX "payments_by_test" ON "payments" USING btree ("merchant_id","test","id");--> statement-breakpoint
CREATE INDEX "payments_by_scheme" ON "payments" USING btree ("merchant_id","scheme","id");--> statement-breakpoint
CREATE INDEX "payments_by_mandate_handle" ON "payments" USING btree ("merchant_id","mandate_handle","id");