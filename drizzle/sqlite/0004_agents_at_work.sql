CREATE TABLE `audit` (
	`audit_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`team_id` integer,
	`project_id` integer,
	`actor_id` integer NOT NULL,
	`credential` text,
	`subject_id` integer,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_team` ON `audit` (`team_id`,`created_at`,`audit_id`);--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit` (`subject_id`,`created_at`,`audit_id`);--> statement-breakpoint
CREATE TABLE `agent_presence` (
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `actor_id`),
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `escalations` (
	`escalation_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`reason` text NOT NULL,
	`to_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`note` text,
	`resolved_by` integer,
	`resolved_at` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`resolved_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `escalations_task` ON `escalations` (`team_id`,`task_id`,`created_at`,`escalation_id`);--> statement-breakpoint
CREATE TABLE `evidence` (
	`evidence_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`kind` text NOT NULL,
	`summary` text NOT NULL,
	`url` text,
	`attachment_id` integer,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `evidence_task` ON `evidence` (`team_id`,`task_id`,`created_at`,`evidence_id`);--> statement-breakpoint
CREATE TABLE `message_places` (
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`wanted` text,
	`wanted_from` integer,
	`wanted_project_id` integer,
	PRIMARY KEY(`team_id`, `actor_id`),
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`project_id` integer,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`sending_until` integer,
	PRIMARY KEY(`team_id`, `actor_id`, `seq`),
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `messages_polling` ON `messages` (`team_id`,`actor_id`,`seq`) WHERE state = 'polling';--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`team_id`,`actor_id`,`next_attempt_at`,`seq`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE TABLE `run_entries` (
	`team_id` integer NOT NULL,
	`run_id` integer NOT NULL,
	`number` integer NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`author_id` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `run_id`, `number`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`run_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`run_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`origin` text NOT NULL,
	`state` text NOT NULL,
	`prompt` text,
	`comment_id` integer,
	`summary` text,
	`reason` text,
	`entries` integer NOT NULL,
	`last_entry` text,
	`created_by` integer NOT NULL,
	`prompted_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`prompted_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runs_open` ON `runs` (`team_id`,`task_id`,`actor_id`) WHERE state in ('queued', 'running', 'waiting');--> statement-breakpoint
CREATE INDEX `runs_board` ON `runs` (`team_id`,`project_id`,`created_at`,`run_id`);--> statement-breakpoint
CREATE INDEX `runs_task` ON `runs` (`team_id`,`task_id`,`created_at`,`run_id`);--> statement-breakpoint
CREATE INDEX `runs_actor` ON `runs` (`team_id`,`actor_id`,`created_at`,`run_id`);--> statement-breakpoint
CREATE TABLE `leases` (
	`task_id` integer PRIMARY KEY NOT NULL,
	`team_id` integer NOT NULL,
	`lease_id` text NOT NULL,
	`fencing_token` integer NOT NULL,
	`holder_id` integer NOT NULL,
	`owner_id` text,
	`ttl` integer NOT NULL,
	`claimed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`holder_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leases_id` ON `leases` (`team_id`,`lease_id`);--> statement-breakpoint
CREATE INDEX `leases_lapse` ON `leases` (`team_id`,`expires_at`) WHERE "leases"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `leases_holder` ON `leases` (`team_id`,`holder_id`) WHERE "leases"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	`ms` integer NOT NULL,
	`status` integer,
	`error` text,
	`body` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`webhook_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_public` ON `webhook_deliveries` (`delivery_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_newest` ON `webhook_deliveries` (`team_id`,`webhook_id`,`row_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`webhook_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`active` integer NOT NULL,
	`project_id` integer,
	`seed` text NOT NULL,
	`old_seed` text,
	`old_until` integer,
	`failures` integer NOT NULL,
	`resting_until` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_agent` ON `webhooks` (`actor_id`);--> statement-breakpoint
CREATE INDEX `webhooks_team` ON `webhooks` (`team_id`);--> statement-breakpoint
DROP INDEX `tasks_queue_due`;--> statement-breakpoint
DROP INDEX `tasks_queue`;--> statement-breakpoint
ALTER TABLE `tasks` ADD `leased_by` integer REFERENCES actors(actor_id);--> statement-breakpoint
CREATE INDEX `tasks_taken` ON `tasks` (`team_id`,`section_id`) WHERE "tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is not null;--> statement-breakpoint
CREATE INDEX `tasks_queue_due` ON `tasks` (`team_id`,`project_id`,(case when "priority" = 1 then 0 else 1 end),`due_at`,`section_id`) WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is null and "tasks"."due_at" is not null);--> statement-breakpoint
CREATE INDEX `tasks_queue` ON `tasks` (`team_id`,`section_id`,(case when "priority" = 1 then 0 else 1 end),`rank`) WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."leased_by" is null and "tasks"."due_at" is null);--> statement-breakpoint
ALTER TABLE `notifications` ADD `escalation_id` integer;--> statement-breakpoint
ALTER TABLE `notifications` ADD `run_id` integer;
--> statement-breakpoint
INSERT INTO `followers` (`name`, `seq`) SELECT 'runs', `seq` FROM `changes` WHERE NOT EXISTS (SELECT 1 FROM `followers` WHERE `name` = 'runs') ORDER BY `seq` DESC LIMIT 1;

--> statement-breakpoint
INSERT INTO `message_places` (`team_id`, `actor_id`, `seq`) SELECT `team_id`, `actor_id`, (SELECT coalesce(max(`seq`), 0) FROM `changes`) FROM `agents` WHERE NOT EXISTS (SELECT 1 FROM `message_places` WHERE `message_places`.`actor_id` = `agents`.`actor_id`);

--> statement-breakpoint
INSERT INTO `audit` (`type`, `team_id`, `project_id`, `actor_id`, `subject_id`, `data`, `created_at`) SELECT `type`, `team_id`, `project_id`, `actor_id`, coalesce(json_extract(`data`, '$.user_id'), json_extract(`data`, '$.owner_id'), `actor_id`), `data`, `created_at` FROM `changes` WHERE substr(`type`, 1, instr(`type`, '.')) IN ('agent.', 'credential.', 'invitation.', 'member.', 'password.', 'person.', 'pull_request_receiver.') OR `type` IN ('project.member_added', 'team.created') ORDER BY `seq`;
--> statement-breakpoint
INSERT INTO `audit` (`type`, `team_id`, `actor_id`, `data`, `created_at`) SELECT `changes`.`type`, `members`.`team_id`, `changes`.`actor_id`, `changes`.`data`, `changes`.`created_at` FROM `changes` JOIN `members` ON `members`.`actor_id` = `changes`.`actor_id` WHERE `changes`.`team_id` IS NULL AND (`type` LIKE 'credential.%' OR `type` LIKE 'password.%') ORDER BY `seq`;
