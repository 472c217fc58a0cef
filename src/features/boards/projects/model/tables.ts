import { sql } from 'drizzle-orm'
import {
  id,
  index,
  int,
  json,
  long,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { teams } from '../../../identity/teams/model/index.ts'

export const projects = table(
  'projects',
  { exported: true },
  {
    project_id: id('project_id'),
    team_id: int('team_id')
      .notNull()
      .references(() => teams.team_id),
    /** The part of a ticket key before the number. */
    key: text('key').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    access: text('access').$type<'team' | 'invited'>().notNull(),
    status: text('status').$type<'Normal' | 'Archive'>().notNull(),
    next_number: int('next_number').notNull(),
    custom_instruction: text('custom_instruction'),
    working_rules: text('working_rules'),
    definition_of_done: json<string[]>('definition_of_done').notNull(),
    notes: text('notes'),
    model_selected: text('model_selected'),
    /** Completed tasks are archived after this many days without a change; null turns it off. */
    auto_archive_days: int('auto_archive_days'),
    /** What runs on it may cost in a calendar month, in micro-dollars. Null: no limit. */
    budget_micro_usd: long('budget_micro_usd'),
    /** Since when its agents are paused; null: they are not. */
    paused_at: time('paused_at'),
    paused_by: int('paused_by').references(() => actors.actor_id),
    playbook_version: int('playbook_version').notNull(),
    source_summary: text('source_summary'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('projects_key').on(t.team_id, t.key),
    index('projects_created').on(t.team_id, t.status, t.created_at),
    index('projects_auto_archive').on(t.project_id).where(sql`${t.auto_archive_days} is not null`),
  ],
)

/** People invited to a board by name. They decide who sees a board with access `invited`. */
export const projectMembers = table(
  'project_members',
  { exported: true },
  {
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    added_at: time('added_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.project_id, t.actor_id] }),
    index('project_members_actor').on(t.actor_id, t.project_id),
  ],
)

/** When each actor last changed something on a board, derived from the change log. */
export const projectUses = table(
  'project_uses',
  { exported: 'recorded again when people open boards' },
  {
    actor_id: int('actor_id').notNull(),
    project_id: int('project_id').notNull(),
    last_used_at: time('last_used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.actor_id, t.project_id] })],
)

/**
 * All versions of a board's guidance: playbook, instructions and skills. Nothing is deleted, so
 * that a deleted skill can be restored.
 */
export const guidanceVersions = table(
  'guidance_versions',
  { exported: 'a history; the current texts are exported with their boards and skills' },
  {
    version_id: id('version_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    kind: text('kind').$type<GuidanceKind>().notNull(),
    /** 0 unless the kind is `skill`. */
    skill_id: int('skill_id').notNull(),
    /** Counts from 1 for each kind and skill. */
    version: int('version').notNull(),
    content: json<Record<string, unknown>>('content').notNull(),
    /** Fields that differ from the version before. */
    changed: json<string[]>('changed').notNull(),
    /** Null for a text from before versions were stored. */
    author_id: int('author_id').references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('guidance_versions_of').on(t.team_id, t.project_id, t.kind, t.skill_id, t.version),
  ],
)
export type GuidanceKind = 'playbook' | 'instructions' | 'skill'
