DROP INDEX "task_labels_label";--> statement-breakpoint
ALTER TABLE "task_assignees" ADD COLUMN "project_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "task_assignees" ADD COLUMN "status" text COLLATE "C" DEFAULT 'Normal' NOT NULL;--> statement-breakpoint
ALTER TABLE "task_labels" ADD COLUMN "project_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "task_labels" ADD COLUMN "status" text COLLATE "C" DEFAULT 'Normal' NOT NULL;--> statement-breakpoint
UPDATE "task_assignees" SET "project_id" = "tasks"."project_id", "status" = "tasks"."status" FROM "tasks" WHERE "tasks"."task_id" = "task_assignees"."task_id";--> statement-breakpoint
ALTER TABLE "task_assignees" ALTER COLUMN "project_id" DROP DEFAULT, ALTER COLUMN "status" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "task_assignees_board" ON "task_assignees" USING btree ("team_id","actor_id","status","project_id","task_id");--> statement-breakpoint
CREATE INDEX "tasks_commented" ON "tasks" USING btree ("team_id","project_id","status","created_at","task_id","comment_count") WHERE "tasks"."comment_count" > 0;--> statement-breakpoint
UPDATE "task_labels" SET "project_id" = "tasks"."project_id", "status" = "tasks"."status" FROM "tasks" WHERE "tasks"."task_id" = "task_labels"."task_id";--> statement-breakpoint
ALTER TABLE "task_labels" ALTER COLUMN "project_id" DROP DEFAULT, ALTER COLUMN "status" DROP DEFAULT;--> statement-breakpoint
CREATE INDEX "task_labels_label" ON "task_labels" USING btree ("team_id","label_id","status","project_id","task_id");