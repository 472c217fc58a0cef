CREATE TABLE "text_changes" (
	"team_id" integer NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"text_id" integer NOT NULL,
	"number" integer NOT NULL,
	"author_id" integer NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"changes" json NOT NULL,
	"unsaved" json,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "text_changes_team_id_kind_text_id_number_pk" PRIMARY KEY("team_id","kind","text_id","number")
);
--> statement-breakpoint
ALTER TABLE "text_changes" ADD CONSTRAINT "text_changes_author_id_actors_actor_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."actors"("actor_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "text_changes_unsaved" ON "text_changes" USING btree ("team_id","kind","text_id") WHERE "text_changes"."unsaved" is not null;