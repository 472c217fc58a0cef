CREATE TABLE `calendar_feeds` (
	`calendar_feed_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`feed_id` text NOT NULL,
	`actor_id` integer NOT NULL,
	`title` text NOT NULL,
	`what` text NOT NULL,
	`project_ids` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_read_at` integer,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_public` ON `calendar_feeds` (`feed_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_hash` ON `calendar_feeds` (`hash`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_actor` ON `calendar_feeds` (`actor_id`,`title`);--> statement-breakpoint
CREATE TABLE `mailings` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`mode` text NOT NULL,
	`kinds` text,
	`hour` integer NOT NULL,
	`mark` integer NOT NULL,
	`marked_at` integer NOT NULL,
	`due_at` integer,
	`attempts` integer NOT NULL,
	`claimed_until` integer,
	`sent_at` integer,
	`last_error` text,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `mailings_due` ON `mailings` (`due_at`);--> statement-breakpoint
CREATE INDEX `mailings_claimed` ON `mailings` (`claimed_until`);--> statement-breakpoint
DROP INDEX `task_assignees_actor`;--> statement-breakpoint
ALTER TABLE `task_assignees` ADD `open` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `task_assignees_actor` ON `task_assignees` (`team_id`,`actor_id`,`open`,`task_id`);--> statement-breakpoint
ALTER TABLE `invitations` ADD `mail_hash` text;--> statement-breakpoint
ALTER TABLE `invitations` ADD `mail_due_at` integer;--> statement-breakpoint
ALTER TABLE `invitations` ADD `mail_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `invitations` ADD `mailed_at` integer;--> statement-breakpoint
ALTER TABLE `invitations` ADD `mail_error` text;--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_mail_hash` ON `invitations` (`mail_hash`);--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` (`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `invitations_mail_due` ON `invitations` (`mail_due_at`);--> statement-breakpoint
ALTER TABLE `my_views` ADD `board_filters` text;--> statement-breakpoint
ALTER TABLE `my_views` ADD `match` text DEFAULT 'ALL' NOT NULL;--> statement-breakpoint
ALTER TABLE `my_views` ADD `sorting` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `auto_archive_days` integer;--> statement-breakpoint
CREATE INDEX `projects_auto_archive` ON `projects` (`project_id`) WHERE "projects"."auto_archive_days" is not null;--> statement-breakpoint
ALTER TABLE `tasks` ADD `starts_from` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `reminded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_reminders` ON `tasks` (`reminded`,`due_at`,`task_id`) WHERE "tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."reminded" < 2 and "tasks"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `tasks_finished` ON `tasks` (`team_id`,`project_id`,`status`,`updated_at`,`task_id`) WHERE "tasks"."status" = 'Normal' and "tasks"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX `tasks_coming` ON `tasks` (`team_id`,`project_id`,`status`,`due_at`,`task_id`) WHERE "tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `tasks_repeating` ON `tasks` (`team_id`,`project_id`,`status`,`due_at`,`task_id`) WHERE "tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."due_at" is not null and "tasks"."recurrence" is not null;
--> statement-breakpoint
INSERT INTO `actors` (`actor_id`, `kind`, `name`, `created_at`) VALUES (-1, 'system', 'Corkboard', cast(unixepoch('subsec') * 1000 as integer)) ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE `task_assignees` SET `open` = 0 WHERE `task_id` IN (SELECT `task_id` FROM `tasks` WHERE `status` <> 'Normal' OR `completed_at` IS NOT NULL);
--> statement-breakpoint
UPDATE `tasks` SET `reminded` = CASE WHEN `due_at` < cast(unixepoch('subsec') * 1000 as integer) THEN 2 ELSE 1 END WHERE `status` = 'Normal' AND `completed_at` IS NULL AND `due_at` <= cast((unixepoch('subsec') + 86400) * 1000 as integer);
--> statement-breakpoint
INSERT INTO `followers` (`name`, `seq`) SELECT 'mail', `seq` FROM `changes` ORDER BY `seq` DESC LIMIT 1 ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO `task_texts` (`task_texts`, `rank`) VALUES ('pgsz', 1000);
