CREATE TABLE `section_counts` (
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`section_id` integer NOT NULL,
	`tasks` integer NOT NULL,
	PRIMARY KEY(`team_id`, `project_id`, `section_id`)
);
--> statement-breakpoint
INSERT INTO `section_counts` (`team_id`, `project_id`, `section_id`, `tasks`)
SELECT `team_id`, `project_id`, `section_id`, count(*) FROM `tasks` WHERE `status` = 'Normal'
GROUP BY `team_id`, `project_id`, `section_id`;
