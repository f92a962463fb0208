CREATE TABLE "export_schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"query" jsonb NOT NULL,
	"moving" jsonb NOT NULL,
	"times" jsonb NOT NULL,
	"language" text NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "export_schedules" ADD CONSTRAINT "export_schedules_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "export_schedules_due" ON "export_schedules" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "export_schedules_by_user" ON "export_schedules" USING btree ("connection_id","user_id");