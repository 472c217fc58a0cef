-- Servers of the previous release write to the table until they have stopped, so it stays, empty.
TRUNCATE "search_words";--> statement-breakpoint
DELETE FROM "followers" WHERE "name" = 'search-words';
