DROP INDEX "tasks_order";--> statement-breakpoint
DROP INDEX "tasks_taken";--> statement-breakpoint
CREATE INDEX "tasks_order" ON "tasks" USING btree ("team_id","section_id","status","rank","task_id","project_id");--> statement-breakpoint
CREATE INDEX "tasks_taken" ON "tasks" USING btree ("team_id","section_id","status") WHERE "tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is not null;