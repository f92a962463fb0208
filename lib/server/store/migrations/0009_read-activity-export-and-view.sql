CREATE TABLE "list_export_parts" (
	"export_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "list_export_parts_export_id_part_pk" PRIMARY KEY("export_id","part")
);
--> statement-breakpoint
CREATE TABLE "list_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"started_by" text NOT NULL,
	"query" jsonb NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"after" text,
	"parts" integer DEFAULT 0 NOT NULL,
	"rows" integer DEFAULT 0 NOT NULL,
	"left_out" integer DEFAULT 0 NOT NULL,
	"unreadable" integer DEFAULT 0 NOT NULL,
	"sums" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"sha256" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "default_views" (
	"connection_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"list" text NOT NULL,
	"view_id" uuid NOT NULL,
	CONSTRAINT "default_views_connection_id_user_id_list_pk" PRIMARY KEY("connection_id","user_id","list")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"is_shared" boolean NOT NULL,
	"user_id" uuid NOT NULL,
	"saved_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "list_export_parts" ADD CONSTRAINT "list_export_parts_export_id_list_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "public"."list_exports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_exports" ADD CONSTRAINT "list_exports_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "default_views" ADD CONSTRAINT "default_views_view_id_saved_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."saved_views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "list_exports_by_user" ON "list_exports" USING btree ("connection_id","user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_shared_name" ON "saved_views" USING btree ("connection_id","list",lower("name")) WHERE "saved_views"."is_shared";--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_own_name" ON "saved_views" USING btree ("connection_id","list","user_id",lower("name")) WHERE not "saved_views"."is_shared";--> statement-breakpoint
CREATE INDEX "activity_by_sequence" ON "activity" USING btree ("connection_id","sequence");--> statement-breakpoint
CREATE INDEX "activity_by_kind" ON "activity" USING btree ("connection_id","object_kind","sequence");--> statement-breakpoint
CREATE INDEX "activity_by_action" ON "activity" USING btree ("connection_id","action","sequence");--> statement-breakpoint
CREATE INDEX "activity_by_actor" ON "activity" USING btree ("connection_id","actor","sequence");--> statement-breakpoint
CREATE INDEX "activity_by_outcome" ON "activity" USING btree ("connection_id",("details" ->> 'outcome'),"sequence");--> statement-breakpoint
CREATE INDEX "activity_by_day" ON "activity" USING btree ("connection_id","at");