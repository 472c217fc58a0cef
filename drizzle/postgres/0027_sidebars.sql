CREATE TABLE "sidebars" (
	"actor_id" integer PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"entries" json NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sidebars" ADD CONSTRAINT "sidebars_actor_id_actors_actor_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."actors"("actor_id") ON DELETE no action ON UPDATE no action;