CREATE TABLE `text_changes` (
	`team_id` integer NOT NULL,
	`kind` text NOT NULL,
	`text_id` integer NOT NULL,
	`number` integer NOT NULL,
	`author_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`changes` text NOT NULL,
	`unsaved` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `kind`, `text_id`, `number`),
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `text_changes_unsaved` ON `text_changes` (`team_id`,`kind`,`text_id`) WHERE "text_changes"."unsaved" is not null;