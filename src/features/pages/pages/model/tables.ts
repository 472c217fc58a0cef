import {
  bool,
  id,
  index,
  int,
  json,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { PageKind } from './rules.ts'
import type { Step } from './steps.ts'

/** A page without its text. */
export const pages = table(
  'pages',
  { exported: true },
  {
    page_id: id('page_id'),
    /** Used in URLs. It is random, so that it cannot be guessed. */
    public_id: text('public_id').notNull(),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    parent_page_id: int('parent_page_id'),
    kind: text('kind').$type<PageKind>().notNull(),
    title: text('title').notNull(),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    /** The text is a whole HTML document, stored as it was sent. Only a sandbox may show it. */
    canvas: bool('canvas').notNull(),
    version: int('version').notNull(),
    /** Characters of the text. */
    length: int('length').notNull(),
    /** Number of versions since the last one stored whole, and the size of their steps. */
    chain_steps: int('chain_steps').notNull(),
    chain_size: int('chain_size').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    updated_by: int('updated_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
    archived_at: time('archived_at'),
  },
  (t) => [
    uniqueIndex('pages_public').on(t.team_id, t.public_id),
    index('pages_task').on(t.team_id, t.task_id, t.updated_at, t.page_id),
    index('pages_updated').on(t.team_id, t.updated_at, t.page_id),
  ],
)

/** The present text in pieces, so that appending or prepending writes a single piece. */
export const pagePieces = table(
  'page_pieces',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    page_id: int('page_id')
      .notNull()
      .references(() => pages.page_id),
    /** The order of the pieces. A prepended piece has a lower number than the others. */
    place: int('place').notNull(),
    content: text('content').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.page_id, t.place] })],
)

/** Who changed a page, when and why, and the steps back to the previous text. */
export const pageVersions = table(
  'page_versions',
  { exported: true },
  {
    version_id: id('version_id'),
    team_id: int('team_id').notNull(),
    page_id: int('page_id')
      .notNull()
      .references(() => pages.page_id),
    version: int('version').notNull(),
    title: text('title').notNull(),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    canvas: bool('canvas').notNull(),
    note: text('note'),
    length: int('length').notNull(),
    /** Characters that are new in this version, and those that it no longer has. */
    added: int('added').notNull(),
    removed: int('removed').notNull(),
    /** The steps from this text to that of the version before. Null in the first version. */
    back: json<Step[]>('back'),
    /** The text itself. Only some versions have it, to keep the chains of steps short. */
    whole: text('whole'),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [uniqueIndex('page_versions_page').on(t.team_id, t.page_id, t.version)],
)
