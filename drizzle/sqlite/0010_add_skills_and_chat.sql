CREATE TABLE `chat_messages` (
	`thread_id` integer NOT NULL,
	`number` integer NOT NULL,
	`role` text NOT NULL,
	`actor_id` integer,
	`parts` text NOT NULL,
	`state` text NOT NULL,
	`trouble` text,
	`tokens_in` integer NOT NULL,
	`tokens_out` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`thread_id`, `number`),
	FOREIGN KEY (`thread_id`) REFERENCES `chat_threads`(`thread_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `chat_threads` (
	`thread_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`team_id` integer,
	`project_id` integer,
	`task_id` integer,
	`title` text NOT NULL,
	`allow_writes` integer NOT NULL,
	`state` text NOT NULL,
	`busy_until` integer,
	`messages` integer NOT NULL,
	`addressed` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `chat_threads_actor` ON `chat_threads` (`actor_id`,`updated_at`,`thread_id`);--> statement-breakpoint
CREATE TABLE `skills` (
	`skill_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer,
	`project_id` integer,
	`actor_id` integer NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`argument_hint` text,
	`body` text NOT NULL,
	`enabled` integer NOT NULL,
	`source` text,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `skills_own` ON `skills` (`actor_id`,`slug`) WHERE project_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX `skills_board` ON `skills` (`project_id`,`slug`) WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX `skills_team` ON `skills` (`team_id`,`project_id`,`slug`);--> statement-breakpoint
ALTER TABLE `agents` ADD `instructions` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `busy_by` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `busy_until` integer;--> statement-breakpoint
CREATE INDEX `runs_due` ON `runs` (`run_id`) WHERE state in ('queued', 'running');