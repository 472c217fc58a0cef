ALTER TABLE "changes" ADD COLUMN "recipients" json;--> statement-breakpoint
CREATE INDEX "comments_authors" ON "comments" USING btree ("team_id","task_id","author_id");