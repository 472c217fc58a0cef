CREATE TABLE `account_emails` (
	`email_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`kind` text NOT NULL,
	`hash` text,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_emails_hash` ON `account_emails` (`hash`);--> statement-breakpoint
CREATE INDEX `account_emails_actor` ON `account_emails` (`actor_id`);--> statement-breakpoint
CREATE INDEX `account_emails_due` ON `account_emails` (`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE TABLE `authenticator_apps` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_period` integer,
	`last_used_at` integer,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`passkey_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`name` text NOT NULL,
	`webauthn_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`synced` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_webauthn` ON `passkeys` (`webauthn_id`);--> statement-breakpoint
CREATE INDEX `passkeys_actor` ON `passkeys` (`actor_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_actor` ON `recovery_codes` (`actor_id`);--> statement-breakpoint
CREATE TABLE `device_requests` (
	`request_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device_hash` text NOT NULL,
	`user_code` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`resource` text NOT NULL,
	`scope` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`polled_at` integer,
	`credential_id` integer,
	`denied_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_requests_device` ON `device_requests` (`device_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `device_requests_user` ON `device_requests` (`user_code`);--> statement-breakpoint
CREATE INDEX `device_requests_end` ON `device_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`credential_id` integer PRIMARY KEY NOT NULL,
	`person_id` integer NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`client_host` text,
	`redirect_uri` text,
	`code_hash` text,
	`code_challenge` text,
	`code_expires_at` integer,
	`generation` integer DEFAULT 0 NOT NULL,
	`refreshed_at` integer,
	FOREIGN KEY (`credential_id`) REFERENCES `credentials`(`credential_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `grants_code` ON `grants` (`code_hash`);--> statement-breakpoint
CREATE INDEX `grants_person` ON `grants` (`person_id`);--> statement-breakpoint
CREATE TABLE `linked_identities` (
	`identity_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`approved_at` integer,
	`last_used_at` integer,
	`managed_team_ids` text NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `linked_identities_subject` ON `linked_identities` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `linked_identities_actor` ON `linked_identities` (`actor_id`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`sign_in_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`actor_id` integer NOT NULL,
	`method` text NOT NULL,
	`second_factor` text,
	`issuer` text,
	`subject` text,
	`issuer_session` text,
	`id_token` text,
	`created_at` integer NOT NULL,
	`verified_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sign_ins_actor` ON `sign_ins` (`actor_id`);--> statement-breakpoint
CREATE INDEX `sign_ins_subject` ON `sign_ins` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `sign_ins_issuer_session` ON `sign_ins` (`issuer`,`issuer_session`);--> statement-breakpoint
CREATE TABLE `team_policies` (
	`team_id` integer PRIMARY KEY NOT NULL,
	`guests_allowed` integer NOT NULL,
	`email_domains` text,
	`second_factor_required` integer NOT NULL,
	`session_days` integer,
	`token_days` integer,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`team_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `credentials` ADD `project_ids` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `audience` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `sign_in_id` integer;--> statement-breakpoint
CREATE INDEX `credentials_sign_in` ON `credentials` (`sign_in_id`);