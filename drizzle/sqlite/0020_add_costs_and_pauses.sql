CREATE TABLE `monthly_costs` (
	`team_id` integer NOT NULL,
	`month` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`micro_usd` integer NOT NULL,
	PRIMARY KEY(`team_id`, `month`, `kind`, `subject_id`)
);
--> statement-breakpoint
ALTER TABLE `agents` ADD `budget_micro_usd` integer;--> statement-breakpoint
ALTER TABLE `agents` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `agents` ADD `paused_by` integer REFERENCES actors(actor_id);--> statement-breakpoint
ALTER TABLE `runs` ADD `input_tokens` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `output_tokens` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `cost_micro_usd` integer;--> statement-breakpoint
ALTER TABLE `projects` ADD `budget_micro_usd` integer;--> statement-breakpoint
ALTER TABLE `projects` ADD `paused_at` integer;--> statement-breakpoint
ALTER TABLE `projects` ADD `paused_by` integer REFERENCES actors(actor_id);