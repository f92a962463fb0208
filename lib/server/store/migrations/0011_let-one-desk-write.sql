ALTER TABLE "list_export_parts" ADD COLUMN "marks" text;--> statement-breakpoint
ALTER TABLE "list_exports" ADD COLUMN "holder" uuid;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "holder" uuid;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD COLUMN "lease_until" timestamp (3) with time zone;