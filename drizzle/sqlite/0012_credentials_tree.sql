CREATE TABLE `guidance_versions` (
	`version_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`kind` text NOT NULL,
	`skill_id` integer NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`changed` text NOT NULL,
	`author_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`project_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `guidance_versions_of` ON `guidance_versions` (`team_id`,`project_id`,`kind`,`skill_id`,`version`);--> statement-breakpoint
ALTER TABLE `audit` ADD `address` text;--> statement-breakpoint
ALTER TABLE `calendar_feeds` ADD `credential_id` integer;--> statement-breakpoint
ALTER TABLE `calendar_feeds` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `calendar_feeds_credential` ON `calendar_feeds` (`credential_id`);--> statement-breakpoint
ALTER TABLE `credentials` ADD `parent_id` integer;--> statement-breakpoint
ALTER TABLE `credentials` ADD `minted_by` integer REFERENCES actors(actor_id);--> statement-breakpoint
CREATE INDEX `credentials_parent` ON `credentials` (`parent_id`);--> statement-breakpoint
CREATE INDEX `credentials_minted_by` ON `credentials` (`minted_by`);--> statement-breakpoint
CREATE INDEX `credentials_agents_end` ON `credentials` (`expires_at`) WHERE kind = 'agent' and revoked_at is null and expires_at is not null;--> statement-breakpoint
ALTER TABLE `invitations` ADD `credential_id` integer;--> statement-breakpoint
CREATE INDEX `invitations_credential` ON `invitations` (`credential_id`);--> statement-breakpoint
ALTER TABLE `people` ADD `deactivated_at` integer;--> statement-breakpoint
ALTER TABLE `pull_request_receivers` ADD `credential_id` integer;--> statement-breakpoint
ALTER TABLE `pull_request_receivers` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `pull_request_receivers_credential` ON `pull_request_receivers` (`credential_id`);
--> statement-breakpoint
UPDATE `credentials` SET `minted_by` = `actor_id` WHERE `kind` IN ('key', 'token');
--> statement-breakpoint
UPDATE `credentials` SET `minted_by` = (SELECT `owner_id` FROM `agents` WHERE `agents`.`actor_id` = `credentials`.`actor_id`) WHERE `kind` = 'agent';
--> statement-breakpoint
UPDATE `credentials` SET `scopes` = json_insert(`scopes`, '$[#]', 'projects:instruct') WHERE `kind` IN ('key', 'token') AND `scopes` IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(`scopes`) WHERE `value` = 'projects:write');
