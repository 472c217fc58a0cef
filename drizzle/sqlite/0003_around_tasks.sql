CREATE TABLE `custom_fields` (
	`custom_field_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`field_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`folded` text NOT NULL,
	`type` text NOT NULL,
	`options` text,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_public` ON `custom_fields` (`field_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `custom_fields_name` ON `custom_fields` (`team_id`,`project_id`,`folded`);--> statement-breakpoint
CREATE TABLE `relations` (
	`relation_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`kind` text NOT NULL,
	`first_id` integer NOT NULL,
	`second_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`first_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`second_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `relations_once` ON `relations` (`team_id`,`first_id`,`second_id`,`kind`);--> statement-breakpoint
CREATE INDEX `relations_second` ON `relations` (`team_id`,`second_id`,`kind`);--> statement-breakpoint
CREATE TABLE `task_fields` (
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`custom_field_id` integer NOT NULL,
	`number` real,
	`text` text,
	PRIMARY KEY(`team_id`, `task_id`, `custom_field_id`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`custom_field_id`) REFERENCES `custom_fields`(`custom_field_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_fields_number` ON `task_fields` (`team_id`,`custom_field_id`,`number`,`task_id`);--> statement-breakpoint
CREATE INDEX `task_fields_text` ON `task_fields` (`team_id`,`custom_field_id`,`text`,`task_id`);--> statement-breakpoint
ALTER TABLE `tasks` ADD `section_changed_at` integer;--> statement-breakpoint
ALTER TABLE `tasks` ADD `comment_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `last_comment_at` integer;--> statement-breakpoint
ALTER TABLE `tasks` ADD `attachment_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `pr_badge` text;
--> statement-breakpoint
UPDATE `tasks` SET `section_changed_at` = `created_at`;
