CREATE TABLE `task_moves` (
	`move_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` integer NOT NULL,
	`project_id` integer NOT NULL,
	`task_id` integer NOT NULL,
	`from_id` integer,
	`to_id` integer,
	`role` text,
	`completes` integer NOT NULL,
	`moved_at` integer NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`task_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `task_moves_board` ON `task_moves` (`team_id`,`project_id`,`moved_at`,`move_id`);--> statement-breakpoint
CREATE INDEX `task_moves_task` ON `task_moves` (`team_id`,`task_id`,`role`,`moved_at`);
--> statement-breakpoint
INSERT INTO task_moves (team_id, project_id, task_id, from_id, to_id, role, completes, moved_at)
WITH steps AS (
  SELECT c.seq, c.team_id, c.task_id, c.project_id, c.created_at AS moved_at,
      c.type = 'task.created' AS born,
      json_extract(c.data, '$.before.project_id') AS left_id,
      json_extract(c.data, '$.before.section_id') AS section_before,
      json_extract(c.data, '$.before.status') AS status_before,
      coalesce(json_extract(c.data, '$.after.section_id'), json_extract(c.data, '$.section_id'),
        (SELECT json_extract(n.data, '$.before.section_id') FROM changes n
        WHERE n.team_id = c.team_id AND n.task_id = c.task_id AND n.seq > c.seq
          AND n.type = 'task.updated' AND json_extract(n.data, '$.before.section_id') IS NOT NULL
        ORDER BY n.seq LIMIT 1),
        t.section_id) AS section_after,
      coalesce(json_extract(c.data, '$.after.status'),
        (SELECT json_extract(n.data, '$.before.status') FROM changes n
        WHERE n.team_id = c.team_id AND n.task_id = c.task_id AND n.seq > c.seq
          AND n.type = 'task.updated' AND json_extract(n.data, '$.before.status') IS NOT NULL
        ORDER BY n.seq LIMIT 1),
        t.status) AS status_after
    FROM changes c JOIN tasks t ON t.task_id = c.task_id AND t.team_id = c.team_id
    WHERE c.type = 'task.created' OR (c.type = 'task.updated' AND (
      json_extract(c.data, '$.before.section_id') IS NOT NULL
      OR json_extract(c.data, '$.before.status') IS NOT NULL
      OR json_extract(c.data, '$.before.project_id') IS NOT NULL))
), placed AS (
  SELECT seq, team_id, task_id, project_id, moved_at, left_id,
      CASE WHEN NOT born AND coalesce(status_before, status_after) = 'Normal'
        THEN coalesce(section_before, section_after) END AS from_id,
      CASE WHEN status_after = 'Normal' THEN section_after END AS to_id
    FROM steps
), rows_of AS (
  SELECT seq, team_id, left_id AS project_id, task_id, from_id, NULL AS to_id, moved_at
    FROM placed WHERE left_id IS NOT NULL AND from_id IS NOT NULL
  UNION ALL
  SELECT seq, team_id, project_id, task_id,
      CASE WHEN left_id IS NULL THEN from_id END, to_id, moved_at
    FROM placed WHERE CASE WHEN left_id IS NULL THEN from_id END IS DISTINCT FROM to_id
)
SELECT r.team_id, r.project_id, r.task_id, r.from_id, r.to_id, s.role, 0, r.moved_at
  FROM rows_of r LEFT JOIN sections s ON s.section_id = r.to_id
  ORDER BY r.seq;
--> statement-breakpoint
INSERT INTO task_moves (team_id, project_id, task_id, from_id, to_id, role, completes, moved_at)
SELECT team_id, project_id, task_id, NULL, NULL, NULL, 1, completed_at
  FROM tasks WHERE completed_at IS NOT NULL ORDER BY completed_at;
