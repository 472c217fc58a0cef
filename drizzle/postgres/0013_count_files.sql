CREATE TABLE "file_usage" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL,
	"day" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "file_usage_day" ON "file_usage" USING btree ("day");