ALTER TABLE "my_views" ADD COLUMN "involvement" text COLLATE "C" DEFAULT 'assigned' NOT NULL;--> statement-breakpoint
CREATE INDEX "comments_author" ON "comments" USING btree ("author_id","team_id","task_id");--> statement-breakpoint
CREATE INDEX "tasks_creator" ON "tasks" USING btree ("created_by","team_id","completed_at","task_id");--> statement-breakpoint
CREATE INDEX "task_watchers_actor" ON "task_watchers" USING btree ("actor_id","watching","team_id","task_id");