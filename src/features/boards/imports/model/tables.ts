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
import type { Counts, State } from './schema.ts'

/** What was imported from other products, each as often as people like. */
export const sourceImports = table(
  'source_imports',
  {
    exported: 'refers to another product from its server',
    unstaged: 'imports from other products begin after a team is published',
  },
  {
    import_id: id('import_id'),
    team_id: int('team_id').notNull(),
    source: text('source').notNull(),
    /** The id that the source gives to what is imported. */
    origin: text('origin').notNull(),
    title: text('title').notNull(),
    state: text('state').$type<State>().notNull(),
    counts: json<Counts>('counts').notNull(),
    /** The mapping of the client as it was used last, so that the next import has the same. */
    mapping: text('mapping'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [uniqueIndex('source_imports_origin').on(t.team_id, t.source, t.origin)],
)

/** The kinds of records, and the parts of a board that its tasks refer to. */
export type RowKind =
  | 'person'
  | 'board'
  | 'column'
  | 'label'
  | 'field'
  | 'task'
  | 'comment'
  | 'time_entry'
  | 'attachment'
  | 'relation'

/** The row that each record of a source became, so that it is not imported twice. */
export const importedRows = table(
  'imported_rows',
  {
    exported: 'refers to another product from its server',
    unstaged: 'imports from other products begin after a team is published',
  },
  {
    team_id: int('team_id').notNull(),
    import_id: int('import_id')
      .notNull()
      .references(() => sourceImports.import_id),
    kind: text('kind').$type<RowKind>().notNull(),
    source_id: text('source_id').notNull(),
    row_id: int('row_id').notNull(),
    /** Whether the import created the row; undoing the import removes only these. */
    created: bool('created').notNull(),
    /** Digests of the fields as they were imported last, to notice changes here and there. */
    digests: json<Record<string, string> | null>('digests'),
  },
  (t) => [
    primaryKey({ columns: [t.import_id, t.kind, t.source_id] }),
    index('imported_rows_of').on(t.team_id, t.kind, t.row_id),
  ],
)

/** People that an import found in a source and not in the team. They cannot sign in. */
export const placeholders = table(
  'placeholders',
  {
    exported: 'a person of the team file, who has left the team',
    unstaged: 'imports from other products begin after a team is published',
  },
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    team_id: int('team_id').notNull(),
    /** In lower case; the row in `people` has an address that does not exist. */
    email: text('email'),
    created_at: time('created_at').notNull(),
    /** The member who replaces it, as soon as somebody has decided that. */
    replaced_by: int('replaced_by').references(() => actors.actor_id),
    /** How far the replacement is: rows up to this one have it. Null once all have. */
    progress: json<{ kind: RowKind; upto: number } | null>('progress'),
  },
  (t) => [index('placeholders_team').on(t.team_id)],
)
