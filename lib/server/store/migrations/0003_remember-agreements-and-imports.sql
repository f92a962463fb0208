CREATE TABLE "agreements" (
	"connection_id" text NOT NULL,
	"agreement_id" text NOT NULL,
	"handle" text,
	"scheme" text,
	"status" text,
	"test" boolean,
	"source" text NOT NULL,
	"remembered_by" text NOT NULL,
	"remembered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agreements_connection_id_agreement_id_pk" PRIMARY KEY("connection_id","agreement_id")
);
--> statement-breakpoint
CREATE TABLE "customer_import_rows" (
	"import_id" uuid NOT NULL,
	"connection_id" text NOT NULL,
	"line" integer NOT NULL,
	"body" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"customer_id" text,
	"handle" text,
	"message" text,
	CONSTRAINT "customer_import_rows_import_id_line_pk" PRIMARY KEY("import_id","line")
);
--> statement-breakpoint
CREATE TABLE "customer_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" text NOT NULL,
	"file_hash" text NOT NULL,
	"file_name" text NOT NULL,
	"started_by" text NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"wait_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_import_rows" ADD CONSTRAINT "customer_import_rows_import_id_customer_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."customer_imports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_imports" ADD CONSTRAINT "customer_imports_connection_id_connections_connection_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("connection_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "customer_import_rows_by_state" ON "customer_import_rows" USING btree ("import_id","state","line");--> statement-breakpoint
CREATE UNIQUE INDEX "customer_imports_by_file" ON "customer_imports" USING btree ("connection_id","file_hash");