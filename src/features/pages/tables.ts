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
} from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import { tasks } from '../tasks/index.ts'
import type { PageKind } from './rules.ts'
import type { Step } from './steps.ts'

/** What is known of a page without its text. */
export const pages = table(
  'pages',
  {
    page_id: id('page_id'),
    /** Stands in addresses; nobody guesses one. */
    public_id: text('public_id').notNull(),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    parent_page_id: int('parent_page_id'),
    kind: text('kind').$type<PageKind>().notNull(),
    title: text('title').notNull(),
    content_type: text('content_type').$type<'html' | 'markdown'>().notNull(),
    /** A whole document of HTML, kept as it was sent; only a sandboxed page may ever show it. */
    canvas: bool('canvas').notNull(),
    version: int('version').notNull(),
    /** Letters of the text. */
    length: int('length').notNull(),
    /** Versions since one was kept whole, and the letters of what leads back to them. */
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

/** The text as it is now, in pieces: who adds to its end or beginning writes one of them. */
export const pagePieces = table(
  'page_pieces',
  {
    team_id: int('team_id').notNull(),
    page_id: int('page_id')
      .notNull()
      .references(() => pages.page_id),
    /** Their order; what was put before the others has a lower one. */
    place: int('place').notNull(),
    content: text('content').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.page_id, t.place] })],
)

/** Who changed a page, when and why, and how the text before is made of the one after. */
export const pageVersions = table(
  'page_versions',
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
    /** Letters that are new in it, and letters that the version before had and it has not. */
    added: int('added').notNull(),
    removed: int('removed').notNull(),
    /** Makes the text of the version before from this one's; nothing in the first. */
    back: json<Step[]>('back'),
    /** The text itself, in one of many. */
    whole: text('whole'),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [uniqueIndex('page_versions_page').on(t.team_id, t.page_id, t.version)],
)
