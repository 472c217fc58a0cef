CREATE TABLE "section_counts" (
	"team_id" integer NOT NULL,
	"project_id" integer NOT NULL,
	"section_id" integer NOT NULL,
	"tasks" integer NOT NULL,
	CONSTRAINT "section_counts_team_id_project_id_section_id_pk" PRIMARY KEY("team_id","project_id","section_id")
);
--> statement-breakpoint
INSERT INTO "section_counts" ("team_id", "project_id", "section_id", "tasks")
SELECT "team_id", "project_id", "section_id", count(*) FROM "tasks" WHERE "status" = 'Normal'
GROUP BY "team_id", "project_id", "section_id";
