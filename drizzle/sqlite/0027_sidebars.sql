CREATE TABLE `sidebars` (
	`actor_id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`entries` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `actors`(`actor_id`) ON UPDATE no action ON DELETE no action
);
