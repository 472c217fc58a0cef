CREATE TABLE "monthly_costs" (
	"team_id" integer NOT NULL,
	"month" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject_id" integer NOT NULL,
	"micro_usd" bigint NOT NULL,
	CONSTRAINT "monthly_costs_team_id_month_kind_subject_id_pk" PRIMARY KEY("team_id","month","kind","subject_id")
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "budget_micro_usd" bigint;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "paused_by" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "input_tokens" bigint;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "output_tokens" bigint;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "cost_micro_usd" bigint;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "budget_micro_usd" bigint;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "paused_by" integer;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_paused_by_actors_actor_id_fk" FOREIGN KEY ("paused_by") REFERENCES "public"."actors"("actor_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_paused_by_actors_actor_id_fk" FOREIGN KEY ("paused_by") REFERENCES "public"."actors"("actor_id") ON DELETE no action ON UPDATE no action;