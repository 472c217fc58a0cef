CREATE TABLE `sweeps` (
	`name` text PRIMARY KEY NOT NULL,
	`upto` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `comment_mentions` (
	`team_id` integer NOT NULL,
	`comment_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `comment_id`, `actor_id`),
	FOREIGN KEY (`comment_id`) REFERENCES `comments`(`comment_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `comment_reactions` (
	`team_id` integer NOT NULL,
	`comment_id` integer NOT NULL,
	`emoji` text NOT NULL,
	`actor_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `comment_id`, `emoji`, `actor_id`),
	FOREIGN KEY (`comment_id`) REFERENCES `comments`(`comment_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `comments` (
	`comment_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`author_id` integer NOT NULL,
	`text` text NOT NULL,
	`content_type` text NOT NULL,
	`reply_to_comment_id` integer,
	`reply_to_invocation_id` integer,
	`created_at` integer NOT NULL,
	`edited_at` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `comments_task` ON `comments` (`team_id`,`task_id`,`created_at`,`comment_id`);--> statement-breakpoint
CREATE INDEX `comments_replies` ON `comments` (`team_id`,`reply_to_comment_id`);--> statement-breakpoint
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
CREATE TABLE `decision_requests` (
	`decision_request_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`question` text NOT NULL,
	`options` text NOT NULL,
	`note` text,
	`asked` text NOT NULL,
	`status` text NOT NULL,
	`selected_option` text,
	`answer_note` text,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`closed_by` integer,
	`closed_at` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`closed_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `decision_requests_created` ON `decision_requests` (`team_id`,`created_at`,`decision_request_id`);--> statement-breakpoint
CREATE INDEX `decision_requests_status` ON `decision_requests` (`team_id`,`status`,`created_at`,`decision_request_id`);--> statement-breakpoint
CREATE INDEX `decision_requests_task` ON `decision_requests` (`team_id`,`task_id`,`created_at`,`decision_request_id`);--> statement-breakpoint
CREATE TABLE `drafts` (
	`draft_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`author_id` integer NOT NULL,
	`draft_type` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `drafts_author` ON `drafts` (`team_id`,`author_id`,`updated_at`,`draft_id`);--> statement-breakpoint
CREATE TABLE `feedback_counts` (
	`actor_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`fresh` integer NOT NULL,
	`bumps` integer NOT NULL,
	PRIMARY KEY(`hour`, `actor_id`)
);
--> statement-breakpoint
CREATE TABLE `feedback_reports` (
	`feedback_report_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`tool` text NOT NULL,
	`status` integer NOT NULL,
	`error_code` text NOT NULL,
	`category` text NOT NULL,
	`count` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	`task_id` integer,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feedback_reports_once` ON `feedback_reports` (`tool`,`status`,`error_code`,`category`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`attachment_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`comment_id` integer,
	`filename` text NOT NULL,
	`content_type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `attachments_task` ON `attachments` (`team_id`,`task_id`);--> statement-breakpoint
CREATE INDEX `attachments_comment` ON `attachments` (`team_id`,`comment_id`);--> statement-breakpoint
CREATE INDEX `attachments_sha256` ON `attachments` (`sha256`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`notification_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`kind` text NOT NULL,
	`important` integer NOT NULL,
	`priority` integer NOT NULL,
	`by_id` integer NOT NULL,
	`comment_id` integer,
	`decision_request_id` integer,
	`snippet` text,
	`created_at` integer NOT NULL,
	`read_at` integer,
	`archived_at` integer,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`by_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `notifications_open` ON `notifications` (`actor_id`,`created_at`,`notification_id`) WHERE archived_at is null;--> statement-breakpoint
CREATE INDEX `notifications_archived` ON `notifications` (`actor_id`,`created_at`,`notification_id`) WHERE archived_at is not null;--> statement-breakpoint
CREATE INDEX `notifications_task` ON `notifications` (`team_id`,`task_id`,`actor_id`,`kind`);--> statement-breakpoint
CREATE TABLE `pull_request_receivers` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`receiver_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`host` text NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pull_request_receivers_public` ON `pull_request_receivers` (`receiver_id`);--> statement-breakpoint
CREATE INDEX `pull_request_receivers_board` ON `pull_request_receivers` (`team_id`,`project_id`,`row_id`);--> statement-breakpoint
CREATE TABLE `pull_requests` (
	`pull_request_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`url` text NOT NULL,
	`title` text,
	`state` text NOT NULL,
	`checks` text NOT NULL,
	`head_sha` text,
	`results` text NOT NULL,
	`told_at` real NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pull_requests_url` ON `pull_requests` (`team_id`,`task_id`,`url`);--> statement-breakpoint
CREATE INDEX `pull_requests_by_url` ON `pull_requests` (`team_id`,`url`);--> statement-breakpoint
CREATE INDEX `pull_requests_by_commit` ON `pull_requests` (`team_id`,`head_sha`);--> statement-breakpoint
CREATE TABLE `reports` (
	`report_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`body_html` text,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_slug` ON `reports` (`team_id`,`project_id`,`slug`);--> statement-breakpoint
CREATE INDEX `reports_updated` ON `reports` (`team_id`,`project_id`,`updated_at`,`report_id`);--> statement-breakpoint
CREATE TABLE `search_words` (
	`size` integer NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`size`, `word`)
);
--> statement-breakpoint
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
CREATE INDEX `relations_second` ON `relations` (`team_id`,`second_id`,`kind`,`first_id`);--> statement-breakpoint
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
CREATE TABLE `task_mentions` (
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `task_id`, `actor_id`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `default_views` (
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`saved_view_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `project_id`, `actor_id`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`saved_view_id`) REFERENCES `views`(`saved_view_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `default_views_view` ON `default_views` (`team_id`,`saved_view_id`);--> statement-breakpoint
CREATE TABLE `view_uses` (
	`team_id` integer NOT NULL,
	`saved_view_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `saved_view_id`, `actor_id`),
	FOREIGN KEY (`saved_view_id`) REFERENCES `views`(`saved_view_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `views` (
	`saved_view_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`view_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`title` text NOT NULL,
	`visibility` text NOT NULL,
	`visible_section_ids` text,
	`board_filters` text NOT NULL,
	`label_ids` text NOT NULL,
	`assignee_ids` text NOT NULL,
	`match` text NOT NULL,
	`sorting` text NOT NULL,
	`subtask_setting` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `views_public` ON `views` (`view_id`);--> statement-breakpoint
CREATE INDEX `views_board` ON `views` (`team_id`,`project_id`,`title`);--> statement-breakpoint
DROP INDEX `changes_task`;--> statement-breakpoint
CREATE INDEX `changes_task` ON `changes` (`team_id`,`task_id`,`created_at`,`seq`);--> statement-breakpoint
ALTER TABLE `tasks` ADD `section_changed_at` integer;--> statement-breakpoint
ALTER TABLE `tasks` ADD `comment_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `last_comment_at` integer;--> statement-breakpoint
ALTER TABLE `tasks` ADD `attachment_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `pr_badge` text;--> statement-breakpoint
CREATE INDEX `tasks_queue_due` ON `tasks` (`team_id`,`project_id`,(case when "priority" = 1 then 0 else 1 end),`due_at`,`section_id`) WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."due_at" is not null);--> statement-breakpoint
CREATE INDEX `tasks_queue` ON `tasks` (`team_id`,`section_id`,(case when "priority" = 1 then 0 else 1 end),`rank`) WHERE ("tasks"."status" = 'Normal' and "tasks"."completed_at" is null and "tasks"."due_at" is null);
--> statement-breakpoint
UPDATE `tasks` SET `section_changed_at` = `created_at`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `task_texts` USING fts5(`place`, `head`, `body`, content='', contentless_delete=1, prefix='3', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'");
--> statement-breakpoint
INSERT INTO `task_texts` (`task_texts`, `rank`) VALUES ('automerge', 8);

--> statement-breakpoint
INSERT INTO `followers` (`name`, `seq`) SELECT 'inbox', `seq` FROM `changes` WHERE NOT EXISTS (SELECT 1 FROM `followers` WHERE `name` = 'inbox') ORDER BY `seq` DESC LIMIT 1;
--> statement-breakpoint
INSERT INTO `sweeps` (`name`, `upto`) SELECT 'task texts', 2147483647 WHERE NOT EXISTS (SELECT 1 FROM `tasks`);
