CREATE TABLE `code_hosts` (
	`host_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`token` text NOT NULL,
	`login` text NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `code_hosts_team` ON `code_hosts` (`team_id`);--> statement-breakpoint
CREATE TABLE `code_people` (
	`team_id` integer NOT NULL,
	`host_id` integer NOT NULL,
	`login` text NOT NULL,
	`actor_id` integer NOT NULL,
	PRIMARY KEY(`host_id`, `login`),
	FOREIGN KEY (`host_id`) REFERENCES `code_hosts`(`host_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `issue_comments` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`issue_id` integer NOT NULL,
	`comment_id` integer,
	`host_comment_id` text,
	`mark` text NOT NULL,
	`here` text,
	`there` text,
	FOREIGN KEY (`issue_id`) REFERENCES `issues`(`issue_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `issue_comments_host` ON `issue_comments` (`issue_id`,`host_comment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `issue_comments_here` ON `issue_comments` (`comment_id`);--> statement-breakpoint
CREATE TABLE `issues` (
	`issue_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`number` integer,
	`task_id` integer,
	`url` text,
	`mark` text NOT NULL,
	`creating_at` integer,
	`base` text,
	`task_digest` text,
	`other_assignees` text,
	`check_host` integer NOT NULL,
	`due_at` integer,
	`requests` integer NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`host_updated_at` integer,
	`checked_at` integer,
	FOREIGN KEY (`repository_id`) REFERENCES `repositories`(`repository_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `issues_number` ON `issues` (`repository_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `issues_task` ON `issues` (`task_id`);--> statement-breakpoint
CREATE INDEX `issues_due` ON `issues` (`repository_id`,`due_at`);--> statement-breakpoint
CREATE TABLE `repositories` (
	`repository_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`host_id` integer NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`receiver_id` text NOT NULL,
	`webhook_id` text,
	`issues` integer NOT NULL,
	`label` text,
	`pull_requests` integer NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`listing_page` integer,
	`swept_to` integer,
	`wake_at` integer NOT NULL,
	`rest_until` integer,
	`busy_until` integer,
	`failures` integer NOT NULL,
	`error` text,
	`event_at` integer,
	`synced_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`host_id`) REFERENCES `code_hosts`(`host_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `repositories_receiver` ON `repositories` (`receiver_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `repositories_board` ON `repositories` (`project_id`,`host_id`,`name`);--> statement-breakpoint
CREATE INDEX `repositories_wake` ON `repositories` (`wake_at`);--> statement-breakpoint
CREATE TABLE `channel_deliveries` (
	`delivery_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel_id` integer NOT NULL,
	`notification_id` integer,
	`change` text,
	`urgent` integer NOT NULL,
	`held` integer NOT NULL,
	`due_at` integer NOT NULL,
	`claimed_until` integer,
	`attempts` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`channel_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `channel_deliveries_due` ON `channel_deliveries` (`due_at`);--> statement-breakpoint
CREATE INDEX `channel_deliveries_channel` ON `channel_deliveries` (`channel_id`,`delivery_id`);--> statement-breakpoint
CREATE INDEX `channel_deliveries_claimed` ON `channel_deliveries` (`claimed_until`) WHERE claimed_until is not null;--> statement-breakpoint
CREATE TABLE `channels` (
	`channel_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner_id` integer,
	`team_id` integer,
	`project_id` integer,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`config` text NOT NULL,
	`origin` text NOT NULL,
	`address_hash` text NOT NULL,
	`events` text NOT NULL,
	`mode` text NOT NULL,
	`hour` integer NOT NULL,
	`active` integer NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`resting_until` integer,
	`last_error` text,
	`failed_at` integer,
	`delivered_at` integer,
	`after_seq` integer NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`team_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `channels_owner` ON `channels` (`owner_id`,`created_at`,`channel_id`);--> statement-breakpoint
CREATE INDEX `channels_board` ON `channels` (`team_id`,`project_id`,`created_at`,`channel_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `channels_browser` ON `channels` (`address_hash`) WHERE kind = 'push';--> statement-breakpoint
CREATE TABLE `notification_settings` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`quiet_from` text,
	`quiet_to` text,
	`quiet_exceptions` integer NOT NULL,
	`boards` text NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `task_watchers` (
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`watching` integer NOT NULL,
	PRIMARY KEY(`team_id`, `task_id`, `actor_id`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `pull_requests` ADD `review` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `pull_requests` ADD `reviews` text;--> statement-breakpoint
ALTER TABLE `pull_requests` ADD `branch` text;--> statement-breakpoint
ALTER TABLE `pull_requests` ADD `preview_url` text;