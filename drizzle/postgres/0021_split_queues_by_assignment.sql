DROP INDEX "tasks_queue_urgent_due";--> statement-breakpoint
DROP INDEX "tasks_queue_due";--> statement-breakpoint
DROP INDEX "tasks_queue_urgent";--> statement-breakpoint
DROP INDEX "tasks_queue";--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "assigned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "tasks" SET "assigned" = true WHERE "task_id" IN (SELECT "task_id" FROM "task_assignees");--> statement-breakpoint
CREATE INDEX "tasks_queue_urgent_due" ON "tasks" USING btree ("team_id","section_id","status","leased_by","assigned","due_at","rank","task_id") WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is null and "tasks"."priority" = 1 and "tasks"."due_at" is not null);--> statement-breakpoint
CREATE INDEX "tasks_queue_due" ON "tasks" USING btree ("team_id","section_id","status","leased_by","assigned","due_at","rank","task_id") WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is null and "tasks"."priority" <> 1 and "tasks"."due_at" is not null);--> statement-breakpoint
CREATE INDEX "tasks_queue_urgent" ON "tasks" USING btree ("team_id","section_id","status","leased_by","assigned","rank","task_id") WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is null and "tasks"."priority" = 1 and "tasks"."due_at" is null);--> statement-breakpoint
CREATE INDEX "tasks_queue" ON "tasks" USING btree ("team_id","section_id","status","leased_by","assigned","rank","task_id") WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is null and "tasks"."priority" <> 1 and "tasks"."due_at" is null);