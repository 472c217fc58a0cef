ALTER TABLE `code_hosts` ADD `app_url` text;--> statement-breakpoint
ALTER TABLE `code_hosts` ADD `receiver_id` text;--> statement-breakpoint
ALTER TABLE `code_hosts` ADD `account_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `code_hosts_receiver` ON `code_hosts` (`receiver_id`);--> statement-breakpoint
ALTER TABLE `code_people` ADD `account_id` text;--> statement-breakpoint
ALTER TABLE `code_people` ADD `mapped_by` text;--> statement-breakpoint
CREATE UNIQUE INDEX `code_people_account` ON `code_people` (`host_id`,`account_id`);--> statement-breakpoint
CREATE INDEX `code_people_actor` ON `code_people` (`actor_id`,`host_id`);