-- Servers of the previous release write to the table until they have stopped, so it stays, empty.
TRUNCATE "search_words";--> statement-breakpoint
DELETE FROM "followers" WHERE "name" = 'search-words';--> statement-breakpoint
-- Tasks are indexed again, with the beginnings of the words of their titles.
DELETE FROM "sweeps" WHERE "name" = 'task texts' AND EXISTS (SELECT 1 FROM "tasks");
