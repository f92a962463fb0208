CREATE TABLE "notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"object_kind" text NOT NULL,
	"object_id" text NOT NULL,
	"object_name" text NOT NULL,
	"text" text NOT NULL,
	"author_id" uuid NOT NULL,
	"author" text NOT NULL,
	"assignee_id" uuid,
	"assignee" text,
	"due_day" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"done_by" text
);
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_by_object" ON "notes" USING btree ("connection_id","object_kind","object_id");--> statement-breakpoint
CREATE INDEX "notes_to_do" ON "notes" USING btree ("connection_id","assignee_id") WHERE "notes"."done_at" is null and "notes"."assignee_id" is not null;