import type { Database } from 'bun:sqlite'
import { MEMORY, openFile } from '../../src/search/passage-index/file.ts'

const silent = { info() {}, warn() {}, error() {} }

/** The file of a search index, filled directly with passages and without segments. */
export function openPassageFile() {
  const { db, close } = openFile(MEMORY, silent)
  let ref = 0
  return {
    db,
    close,
    /** Adds a text to that board and returns the ids of its passages. */
    add(project: number, title: string, ...passages: string[]): number[] {
      const source = insert(
        db,
        `INSERT INTO sources (kind, ref, project, task, author, written_at, title, digest)
         VALUES (0, ${++ref}, ${project}, ${ref}, 1, 0, ?, '') RETURNING source AS n`,
        title,
      )
      return passages.map((text, ordinal) =>
        insert(
          db,
          `INSERT INTO passages (source, ordinal, headings, text)
           VALUES (${source}, ${ordinal}, '[]', ?) RETURNING id AS n`,
          text,
        ),
      )
    },
    remove: (id: number) => void db.run('DELETE FROM passages WHERE id = ?', [id]),
  }
}

const insert = (db: Database, sql: string, text: string) =>
  db.query<{ n: number }, [string]>(sql).get(text)!.n
