DROP TABLE `search_words`;--> statement-breakpoint
DELETE FROM `followers` WHERE `name` = 'search-words';
