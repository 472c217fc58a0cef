CREATE TABLE `imported_rows` (
	`team_id` integer NOT NULL,
	`import_id` integer NOT NULL,
	`kind` text NOT NULL,
	`source_id` text NOT NULL,
	`row_id` integer NOT NULL,
	`created` integer NOT NULL,
	`digests` text,
	PRIMARY KEY(`import_id`, `kind`, `source_id`),
	FOREIGN KEY (`import_id`) REFERENCES `source_imports`(`import_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imported_rows_of` ON `imported_rows` (`team_id`,`kind`,`row_id`);--> statement-breakpoint
CREATE TABLE `placeholders` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`team_id` integer NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`replaced_by` integer,
	`progress` text,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`replaced_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `placeholders_team` ON `placeholders` (`team_id`);--> statement-breakpoint
CREATE TABLE `source_imports` (
	`import_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`source` text NOT NULL,
	`origin` text NOT NULL,
	`title` text NOT NULL,
	`state` text NOT NULL,
	`counts` text NOT NULL,
	`mapping` text,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`created_by`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `source_imports_origin` ON `source_imports` (`team_id`,`source`,`origin`);