CREATE TABLE "bulk_rows" (
	"bulk_id" uuid NOT NULL,
	"connection_id" text NOT NULL,
	"position" integer NOT NULL,
	"given" text NOT NULL,
	"payment_id" text,
	"verdict" text NOT NULL,
	"seen" jsonb,
	"facts" jsonb,
	"reason" text,
	"cancellation_id" uuid,
	"left_to" text,
	CONSTRAINT "bulk_rows_bulk_id_position_pk" PRIMARY KEY("bulk_id","position")
);
--> statement-breakpoint
CREATE TABLE "bulks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"user_email" text NOT NULL,
	"source" jsonb NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"read" integer DEFAULT 0 NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"sums" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"digest" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "cancellations" ADD COLUMN "bulk_id" uuid;--> statement-breakpoint
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_bulk_id_bulks_id_fk" FOREIGN KEY ("bulk_id") REFERENCES "public"."bulks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bulks" ADD CONSTRAINT "bulks_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_rows_by_cancellation" ON "bulk_rows" USING btree ("cancellation_id");--> statement-breakpoint
CREATE INDEX "bulks_by_connection" ON "bulks" USING btree ("connection_id","created_at");--> statement-breakpoint
CREATE INDEX "bulks_running" ON "bulks" USING btree ("connection_id","started_at") WHERE "bulks"."state" = 'running';--> statement-breakpoint
CREATE INDEX "cancellations_by_bulk" ON "cancellations" USING btree ("bulk_id","state");