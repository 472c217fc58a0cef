CREATE TABLE `answers` (
	`actor_id` integer NOT NULL,
	`key` text NOT NULL,
	`digest` text NOT NULL,
	`answer` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`actor_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `answers_age` ON `answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`type` text NOT NULL,
	`team_id` integer,
	`project_id` integer,
	`task_id` integer,
	`actor_id` integer NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `changes_task` ON `changes` (`team_id`,`task_id`,`seq`);--> statement-breakpoint
CREATE TABLE `followers` (
	`name` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `agents` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`agent_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`scopes` text NOT NULL,
	`project_ids` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`team_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_uuid` ON `agents` (`agent_id`);--> statement-breakpoint
CREATE INDEX `agents_team` ON `agents` (`team_id`,`owner_id`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`credential_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`actor_id` integer NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`scopes` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credentials_hash` ON `credentials` (`hash`);--> statement-breakpoint
CREATE INDEX `credentials_actor` ON `credentials` (`actor_id`,`kind`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`invitation_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`invited_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`team_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);--> statement-breakpoint
CREATE INDEX `invitations_team` ON `invitations` (`team_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `labels` (
	`label_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`name` text NOT NULL,
	`color` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `labels_name` ON `labels` (`team_id`,`project_id`,lower("name"));--> statement-breakpoint
CREATE TABLE `actors` (
	`actor_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`agent_id` text,
	`name` text NOT NULL,
	`avatar` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `actors_agent` ON `actors` (`agent_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`time_zone` text NOT NULL,
	`locale` text NOT NULL,
	`default_project_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_email` ON `people` (`email`);--> statement-breakpoint
CREATE TABLE `project_members` (
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `project_id`, `actor_id`),
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `project_members_actor` ON `project_members` (`actor_id`,`project_id`);--> statement-breakpoint
CREATE TABLE `project_uses` (
	`actor_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`actor_id`, `project_id`)
);
--> statement-breakpoint
CREATE TABLE `projects` (
	`project_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`key` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`access` text NOT NULL,
	`status` text NOT NULL,
	`next_number` integer NOT NULL,
	`custom_instruction` text,
	`working_rules` text,
	`definition_of_done` text NOT NULL,
	`notes` text,
	`model_selected` text,
	`playbook_version` integer NOT NULL,
	`source_summary` text,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`team_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_key` ON `projects` (`team_id`,`key`);--> statement-breakpoint
CREATE INDEX `projects_created` ON `projects` (`team_id`,`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `sections` (
	`section_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`title` text NOT NULL,
	`role` text NOT NULL,
	`is_done` integer,
	`done` integer NOT NULL,
	`hidden` integer NOT NULL,
	`auto_assign` integer,
	`rank` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sections_order` ON `sections` (`team_id`,`project_id`,`rank`);--> statement-breakpoint
CREATE TABLE `description_versions` (
	`version_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`content_type` text NOT NULL,
	`author_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `description_versions_order` ON `description_versions` (`team_id`,`task_id`,`version`);--> statement-breakpoint
CREATE TABLE `former_tickets` (
	`team_id` integer NOT NULL,
	`ticket_number` text NOT NULL,
	`task_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `ticket_number`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `task_assignees` (
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `task_id`, `actor_id`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_assignees_actor` ON `task_assignees` (`team_id`,`actor_id`,`task_id`);--> statement-breakpoint
CREATE TABLE `task_labels` (
	`team_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`label_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `task_id`, `label_id`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`label_id`) REFERENCES `labels`(`label_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_labels_label` ON `task_labels` (`team_id`,`label_id`,`task_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`task_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`section_id` integer NOT NULL,
	`unique_index` integer NOT NULL,
	`ticket_number` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`content_type` text NOT NULL,
	`description_version` integer NOT NULL,
	`priority` integer NOT NULL,
	`estimate` integer NOT NULL,
	`due_date` text,
	`due_at` integer,
	`start_date` integer,
	`parent_task_id` integer,
	`status` text NOT NULL,
	`rank` text NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`completed_at` integer,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`section_id`) REFERENCES `sections`(`section_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_ticket` ON `tasks` (`team_id`,`ticket_number`);--> statement-breakpoint
CREATE INDEX `tasks_created` ON `tasks` (`team_id`,`project_id`,`status`,`created_at`,`task_id`);--> statement-breakpoint
CREATE INDEX `tasks_updated` ON `tasks` (`team_id`,`project_id`,`status`,`updated_at`,`task_id`);--> statement-breakpoint
CREATE INDEX `tasks_due` ON `tasks` (`team_id`,`project_id`,`status`,`due_at`,`task_id`);--> statement-breakpoint
CREATE INDEX `tasks_priority` ON `tasks` (`team_id`,`project_id`,`status`,`priority`,`task_id`);--> statement-breakpoint
CREATE INDEX `tasks_title` ON `tasks` (`team_id`,`project_id`,`status`,`title`,`task_id`);--> statement-breakpoint
CREATE INDEX `tasks_order` ON `tasks` (`team_id`,`section_id`,`status`,`rank`);--> statement-breakpoint
CREATE INDEX `tasks_parent` ON `tasks` (`team_id`,`parent_task_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `actor_id`),
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`team_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `members_actor` ON `members` (`actor_id`);--> statement-breakpoint
CREATE TABLE `teams` (
	`team_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_uuid` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `teams_uuid` ON `teams` (`team_uuid`);