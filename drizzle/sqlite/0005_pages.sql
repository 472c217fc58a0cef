CREATE TABLE `page_pieces` (
	`team_id` integer NOT NULL,
	`page_id` integer NOT NULL,
	`place` integer NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`team_id`, `page_id`, `place`),
	FOREIGN KEY (`page_id`) REFERENCES `pages`(`page_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `page_versions` (
	`version_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`page_id` integer NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`content_type` text NOT NULL,
	`canvas` integer NOT NULL,
	`note` text,
	`length` integer NOT NULL,
	`added` integer NOT NULL,
	`removed` integer NOT NULL,
	`back` text,
	`whole` text,
	`author_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`page_id`) REFERENCES `pages`(`page_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_versions_page` ON `page_versions` (`team_id`,`page_id`,`version`);--> statement-breakpoint
CREATE TABLE `pages` (
	`page_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`parent_page_id` integer,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`content_type` text NOT NULL,
	`canvas` integer NOT NULL,
	`version` integer NOT NULL,
	`length` integer NOT NULL,
	`chain_steps` integer NOT NULL,
	`chain_size` integer NOT NULL,
	`created_by` integer NOT NULL,
	`updated_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`updated_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_public` ON `pages` (`team_id`,`public_id`);--> statement-breakpoint
CREATE INDEX `pages_task` ON `pages` (`team_id`,`task_id`,`updated_at`,`page_id`);--> statement-breakpoint
CREATE INDEX `pages_updated` ON `pages` (`team_id`,`updated_at`,`page_id`);--> statement-breakpoint
ALTER TABLE `tasks` ADD `page_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_paged` ON `tasks` (`team_id`,`project_id`,`task_id`) WHERE "tasks"."page_count" > 0;
--> statement-breakpoint
UPDATE `agents` SET `scopes` = json_insert(`scopes`, '$[#]', 'pages:read') WHERE `scopes` LIKE '%"tasks:read"%' AND `scopes` NOT LIKE '%"pages:read"%';
--> statement-breakpoint
UPDATE `agents` SET `scopes` = json_insert(`scopes`, '$[#]', 'pages:write') WHERE `scopes` LIKE '%"tasks:write"%' AND `scopes` NOT LIKE '%"pages:write"%';
--> statement-breakpoint
UPDATE `credentials` SET `scopes` = json_insert(`scopes`, '$[#]', 'pages:read') WHERE `scopes` LIKE '%"tasks:read"%' AND `scopes` NOT LIKE '%"pages:read"%';
--> statement-breakpoint
UPDATE `credentials` SET `scopes` = json_insert(`scopes`, '$[#]', 'pages:write') WHERE `scopes` LIKE '%"tasks:write"%' AND `scopes` NOT LIKE '%"pages:write"%';
