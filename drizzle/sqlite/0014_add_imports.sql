CREATE TABLE `imported_actors` (
	`team_id` integer NOT NULL,
	`actor_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `actor_id`)
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`team_id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer NOT NULL,
	`actor_id` integer,
	`upto` integer NOT NULL,
	`last` integer NOT NULL
);
