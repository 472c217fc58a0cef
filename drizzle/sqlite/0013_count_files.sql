CREATE TABLE `file_usage` (
	`name` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`day` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_usage_day` ON `file_usage` (`day`);