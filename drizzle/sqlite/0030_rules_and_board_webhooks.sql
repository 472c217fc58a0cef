CREATE TABLE `rule_executions` (
	`execution_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`rule_row_id` integer NOT NULL,
	`seq` integer NOT NULL,
	`task_id` integer NOT NULL,
	`depth` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`results` text NOT NULL,
	`attempts` integer NOT NULL,
	`at` integer NOT NULL,
	`finished_at` integer,
	`claimed_until` integer,
	FOREIGN KEY (`rule_row_id`) REFERENCES `rules`(`rule_row_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rule_executions_once` ON `rule_executions` (`rule_row_id`,`seq`);--> statement-breakpoint
CREATE INDEX `rule_executions_queue` ON `rule_executions` (`state`,`execution_id`);--> statement-breakpoint
CREATE INDEX `rule_executions_newest` ON `rule_executions` (`rule_row_id`,`execution_id`);--> statement-breakpoint
CREATE INDEX `rule_executions_rate` ON `rule_executions` (`rule_row_id`,`at`);--> statement-breakpoint
CREATE TABLE `rules` (
	`rule_row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rule_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`created_by` integer NOT NULL,
	`position` integer NOT NULL,
	`enabled` integer NOT NULL,
	`paused_reason` text,
	`starts_when` text NOT NULL,
	`conditions` text NOT NULL,
	`actions` text NOT NULL,
	`failures` integer NOT NULL,
	`last_fired_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rules_public` ON `rules` (`rule_id`);--> statement-breakpoint
CREATE INDEX `rules_board` ON `rules` (`team_id`,`project_id`,`position`);--> statement-breakpoint
CREATE INDEX `rules_active` ON `rules` (`project_id`,`enabled`);--> statement-breakpoint
CREATE TABLE `board_webhook_deliveries` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` text NOT NULL,
	`team_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`project_id` integer,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`kind` text NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	`ms` integer NOT NULL,
	`status` integer,
	`error` text,
	`body` text NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `board_webhooks`(`webhook_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `board_webhook_deliveries_public` ON `board_webhook_deliveries` (`delivery_id`);--> statement-breakpoint
CREATE INDEX `board_webhook_deliveries_newest` ON `board_webhook_deliveries` (`webhook_id`,`row_id`);--> statement-breakpoint
CREATE TABLE `board_webhook_messages` (
	`row_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`sending_until` integer,
	FOREIGN KEY (`webhook_id`) REFERENCES `board_webhooks`(`webhook_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `board_webhook_messages_once` ON `board_webhook_messages` (`webhook_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `board_webhook_messages_due` ON `board_webhook_messages` (`webhook_id`,`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `board_webhooks` (
	`webhook_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer,
	`created_by` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`section_ids` text,
	`label_ids` text,
	`active` integer NOT NULL,
	`paused_reason` text,
	`seed` text NOT NULL,
	`old_seed` text,
	`old_until` integer,
	`failures` integer NOT NULL,
	`resting_until` integer,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `board_webhooks_place` ON `board_webhooks` (`team_id`,`project_id`);--> statement-breakpoint
CREATE INDEX `board_webhooks_active` ON `board_webhooks` (`active`,`team_id`);