INSERT INTO `task_texts` (`task_texts`, `rank`) VALUES ('automerge', 0);
--> statement-breakpoint
INSERT INTO `task_texts` (`task_texts`, `rank`) VALUES ('usermerge', 8);
--> statement-breakpoint
INSERT INTO `task_texts` (`task_texts`, `rank`) VALUES ('crisismerge', 64);
