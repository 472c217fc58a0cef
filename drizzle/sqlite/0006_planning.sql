CREATE TABLE `my_views` (
	`my_view_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`view_id` text NOT NULL,
	`actor_id` integer NOT NULL,
	`title` text NOT NULL,
	`grouping` text NOT NULL,
	`project_ids` text NOT NULL,
	`hidden_section_ids` text NOT NULL,
	`show_done` integer NOT NULL,
	`default_project_id` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `my_views_public` ON `my_views` (`view_id`);--> statement-breakpoint
CREATE INDEX `my_views_actor` ON `my_views` (`actor_id`,`title`);--> statement-breakpoint
CREATE TABLE `task_templates` (
	`template_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`content_type` text NOT NULL,
	`priority` integer NOT NULL,
	`estimate` integer NOT NULL,
	`label_ids` text NOT NULL,
	`subtasks` text,
	`subtask_count` integer NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_templates_board` ON `task_templates` (`team_id`,`project_id`,`name`,`template_id`);--> statement-breakpoint
CREATE TABLE `time_entries` (
	`entry_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`kind` text NOT NULL,
	`started_at` integer NOT NULL,
	`running_since` integer,
	`paused_at` integer,
	`ended_at` integer,
	`stretches` text NOT NULL,
	`seconds` integer NOT NULL,
	`day` text,
	`note` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `time_entries_task` ON `time_entries` (`team_id`,`task_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `time_entries_actor` ON `time_entries` (`team_id`,`actor_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `time_entries_ended` ON `time_entries` (`team_id`,`ended_at`);--> statement-breakpoint
CREATE INDEX `time_entries_day` ON `time_entries` (`team_id`,`day`);--> statement-breakpoint
CREATE UNIQUE INDEX `time_entries_open` ON `time_entries` (`team_id`,`task_id`,`actor_id`) WHERE ended_at is null;--> statement-breakpoint
ALTER TABLE `tasks` ADD `recurrence` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `repeats_from` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `snoozed_until` integer;