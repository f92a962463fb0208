CREATE TABLE "column_choices" (
	"connection_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"list" text NOT NULL,
	"columns" text NOT NULL,
	CONSTRAINT "column_choices_connection_id_user_id_list_pk" PRIMARY KEY("connection_id","user_id","list")
);
