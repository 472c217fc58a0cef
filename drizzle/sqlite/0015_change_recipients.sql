ALTER TABLE `changes` ADD `recipients` text;--> statement-breakpoint
CREATE INDEX `comments_authors` ON `comments` (`team_id`,`task_id`,`author_id`);