CREATE TABLE "agreements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"handle" text collate "C" NOT NULL,
	"scheme" text collate "C" NOT NULL,
	"scheme_data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"data_source_handle" text,
	"status" text collate "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"isv" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"handle" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"name_search" text collate "C" NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"number_search" text collate "C" DEFAULT '' NOT NULL,
	"grams" integer[] NOT NULL,
	"address_line1" text DEFAULT '' NOT NULL,
	"address_line2" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"country" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mandates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"agreement_id" uuid,
	"handle" text collate "C" NOT NULL,
	"scheme" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"scheme_data" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"customer_search" text collate "C" NOT NULL,
	"customer_number_search" text collate "C" NOT NULL,
	"grams" integer[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	"next_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"handle" text collate "C" NOT NULL,
	"name" text NOT NULL,
	"isv_handle" text,
	"meta_data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "merchants_handle_unique" UNIQUE("handle")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"mandate_id" uuid NOT NULL,
	"handle" text collate "C" NOT NULL,
	"description" text NOT NULL,
	"description_search" text collate "C" NOT NULL,
	"reference" text NOT NULL,
	"reference_search" text collate "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text collate "C" NOT NULL,
	"test" boolean NOT NULL,
	"status" text collate "C" NOT NULL,
	"schedule_date" timestamp (3) with time zone NOT NULL,
	"payment_date" timestamp (3) with time zone NOT NULL,
	"settlement_date" timestamp (3) with time zone,
	"settlement_sort" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"modified_at" timestamp (3) with time zone NOT NULL,
	"scheme" text collate "C" NOT NULL,
	"mandate_handle" text collate "C" NOT NULL,
	"customer_search" text collate "C" NOT NULL,
	"grams" integer[] NOT NULL,
	"next_at" timestamp (3) with time zone,
	"cancel_at" timestamp (3) with time zone,
	"cancel_text" text
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_answers" (
	"merchant_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"answer" jsonb,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stored_answers_merchant_id_key_pk" PRIMARY KEY("merchant_id","key")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"webhook_url" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mandates" ADD CONSTRAINT "mandates_agreement_id_agreements_id_fk" FOREIGN KEY ("agreement_id") REFERENCES "public"."agreements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_mandate_id_mandates_id_fk" FOREIGN KEY ("mandate_id") REFERENCES "public"."mandates"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stored_answers" ADD CONSTRAINT "stored_answers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "agreements_by_handle" ON "agreements" USING btree ("merchant_id","handle");--> statement-breakpoint
CREATE INDEX "agreements_due" ON "agreements" USING btree ("next_at") WHERE "agreements"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "credentials_by_merchant" ON "credentials" USING btree ("merchant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_by_handle" ON "customers" USING btree ("merchant_id","handle");--> statement-breakpoint
CREATE INDEX "customers_by_name" ON "customers" USING btree ("merchant_id","name_search","id");--> statement-breakpoint
CREATE INDEX "customers_by_number" ON "customers" USING btree ("merchant_id","number_search","id");--> statement-breakpoint
CREATE INDEX "customers_by_creation" ON "customers" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_by_change" ON "customers" USING btree ("merchant_id","modified_at","id");--> statement-breakpoint
CREATE INDEX "customers_by_id" ON "customers" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "customers_by_grams" ON "customers" USING gin ("grams");--> statement-breakpoint
CREATE UNIQUE INDEX "mandates_by_handle" ON "mandates" USING btree ("merchant_id","handle");--> statement-breakpoint
CREATE INDEX "mandates_by_id" ON "mandates" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "mandates_by_customer" ON "mandates" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "mandates_by_creation" ON "mandates" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mandates_by_name" ON "mandates" USING btree ("merchant_id","customer_search","id");--> statement-breakpoint
CREATE INDEX "mandates_by_number" ON "mandates" USING btree ("merchant_id","customer_number_search","id");--> statement-breakpoint
CREATE INDEX "mandates_by_status" ON "mandates" USING btree ("merchant_id","status","id");--> statement-breakpoint
CREATE INDEX "mandates_by_scheme" ON "mandates" USING btree ("merchant_id","scheme","id");--> statement-breakpoint
CREATE INDEX "mandates_by_grams" ON "mandates" USING gin ("grams");--> statement-breakpoint
CREATE INDEX "mandates_by_agreement" ON "mandates" USING btree ("agreement_id");--> statement-breakpoint
CREATE INDEX "mandates_due" ON "mandates" USING btree ("next_at") WHERE "mandates"."next_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_by_handle" ON "payments" USING btree ("merchant_id","handle");--> statement-breakpoint
CREATE INDEX "payments_by_id" ON "payments" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "payments_by_creation" ON "payments" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_change" ON "payments" USING btree ("merchant_id","modified_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_schedule" ON "payments" USING btree ("merchant_id","schedule_date","id");--> statement-breakpoint
CREATE INDEX "payments_by_payment_date" ON "payments" USING btree ("merchant_id","payment_date","id");--> statement-breakpoint
CREATE INDEX "payments_by_settlement" ON "payments" USING btree ("merchant_id","settlement_sort","id");--> statement-breakpoint
CREATE INDEX "payments_by_status_and_schedule" ON "payments" USING btree ("merchant_id","status","schedule_date","id");--> statement-breakpoint
CREATE INDEX "payments_by_status_and_creation" ON "payments" USING btree ("merchant_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_amount" ON "payments" USING btree ("merchant_id","amount","id");--> statement-breakpoint
CREATE INDEX "payments_by_reference" ON "payments" USING btree ("merchant_id","reference_search","id");--> statement-breakpoint
CREATE INDEX "payments_by_description" ON "payments" USING btree ("merchant_id","description_search","id");--> statement-breakpoint
CREATE INDEX "payments_by_customer_name" ON "payments" USING btree ("merchant_id","customer_search","id");--> statement-breakpoint
CREATE INDEX "payments_by_customer" ON "payments" USING btree ("customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_mandate" ON "payments" USING btree ("mandate_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_by_grams" ON "payments" USING gin ("grams");--> statement-breakpoint
CREATE INDEX "payments_due" ON "payments" USING btree ("next_at") WHERE "payments"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_to_cancel" ON "payments" USING btree ("cancel_at") WHERE "payments"."cancel_at" is not null;--> statement-breakpoint
CREATE INDEX "stored_answers_by_age" ON "stored_answers" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_by_address" ON "webhooks" USING btree ("merchant_id","webhook_url");