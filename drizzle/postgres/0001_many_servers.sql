CREATE TABLE "locks" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
