CREATE TABLE "imported_actors" (
	"team_id" integer NOT NULL,
	"actor_id" integer NOT NULL,
	CONSTRAINT "imported_actors_team_id_actor_id_pk" PRIMARY KEY("team_id","actor_id")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"team_id" integer PRIMARY KEY NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"actor_id" integer,
	"upto" integer NOT NULL,
	"last" integer NOT NULL
);
