ALTER TABLE "code_hosts" ADD COLUMN "app_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "code_hosts" ADD COLUMN "receiver_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "code_hosts" ADD COLUMN "account_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "code_people" ADD COLUMN "account_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "code_people" ADD COLUMN "mapped_by" text COLLATE "C";--> statement-breakpoint
CREATE UNIQUE INDEX "code_hosts_receiver" ON "code_hosts" USING btree ("receiver_id");--> statement-breakpoint
CREATE UNIQUE INDEX "code_people_account" ON "code_people" USING btree ("host_id","account_id");--> statement-breakpoint
CREATE INDEX "code_people_actor" ON "code_people" USING btree ("actor_id","host_id");