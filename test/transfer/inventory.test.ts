import { expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { kindOf } from '../../src/store/column-kinds.ts'
import { tableName } from '../../src/store/scan.ts'
import { inventory, savedTables } from '../../src/transfer/inventory.ts'
import { records } from '../../src/transfer/schema.ts'
import { tables } from '../tables.ts'

const names = (some: readonly PgTable[]) => some.map(tableName).sort()

/** The names of the existing tables that a list does not contain. */
const forgotten = (there: readonly PgTable[], known: readonly PgTable[]) =>
  names(there).filter((name) => !names(known).includes(name))

test('the inventory lists every table with a verdict, and a backup omits only four tables', () => {
  const listed = inventory.map(([table]) => table)
  expect(forgotten(tables, listed.slice(1))).toEqual(['actors'])
  expect(forgotten(tables, listed)).toEqual([])
  const unsaved = tables.filter((table) => !savedTables.includes(table))
  expect(names(unsaved)).toEqual(['imported_actors', 'imports', 'signing_keys', 'sweeps'])
  for (const [, verdict] of inventory) expect(verdict.length).toBeGreaterThan(5)
})

test('every column has a known kind for backups', () => {
  for (const table of tables)
    for (const column of Object.values(getTableColumns(table))) expect(kindOf(column)).toBeString()
})

/** The field of the export that replaces a column of ids or derived values, or why none does. */
const OTHERWISE: Record<string, string> = {
  'actors.actor_id': 'person.email',
  'actors.kind': 'person.email',
  'actors.agent_id': 'agent.agent_id',
  'people.actor_id': 'person.email',
  'people.password_hash': 'none: a secret',
  'people.deactivated_at': 'none: who may sign in is up to each server',
  'people.default_project_id': 'person.default_board',
  'teams.team_id': 'team.team_uuid',
  'members.team_id': 'team.team_uuid',
  'members.actor_id': 'person.email',
  'agents.actor_id': 'agent.agent_id',
  'agents.team_id': 'team.team_uuid',
  'agents.owner_id': 'agent.owner',
  'agents.project_ids': 'agent.boards',
  'projects.project_id': 'board.key',
  'projects.team_id': 'team.team_uuid',
  'project_members.team_id': 'team.team_uuid',
  'project_members.project_id': 'board.members',
  'project_members.actor_id': 'board.members',
  'sections.section_id': 'board.sections',
  'sections.team_id': 'team.team_uuid',
  'sections.project_id': 'board.sections',
  'labels.label_id': 'board.labels',
  'labels.team_id': 'team.team_uuid',
  'labels.project_id': 'board.labels',
  'tasks.task_id': 'task.ticket_number',
  'tasks.team_id': 'team.team_uuid',
  'tasks.project_id': 'task.board',
  'tasks.section_id': 'task.section',
  'tasks.parent_task_id': 'task.parent',
  'tasks.leased_by': 'none: leases end with the server that they were taken on',
  'former_tickets.team_id': 'team.team_uuid',
  'former_tickets.ticket_number': 'task.former_tickets',
  'former_tickets.task_id': 'task.former_tickets',
  'task_labels.team_id': 'team.team_uuid',
  'task_labels.task_id': 'task.labels',
  'task_labels.label_id': 'task.labels',
  'task_assignees.team_id': 'team.team_uuid',
  'task_assignees.task_id': 'task.assignees',
  'task_assignees.actor_id': 'task.assignees',
  'tasks.comment_count': 'comment.task',
  'tasks.last_comment_at': 'comment.created_at',
  'custom_fields.custom_field_id': 'board.fields',
  'custom_fields.team_id': 'team.team_uuid',
  'custom_fields.project_id': 'board.fields',
  'custom_fields.folded': 'board.fields',
  'task_fields.team_id': 'team.team_uuid',
  'task_fields.task_id': 'task.fields',
  'task_fields.custom_field_id': 'task.fields',
  'relations.relation_id': 'none: its place in the file is that of its ends',
  'relations.team_id': 'team.team_uuid',
  'relations.first_id': 'relation.first',
  'relations.second_id': 'relation.second',
  'comments.comment_id': 'none: its order is that of the comments',
  'comments.team_id': 'team.team_uuid',
  'comments.task_id': 'comment.task',
  'comments.author_id': 'comment.author',
  'comments.reply_to_comment_id': 'comment.reply_to',
  'comments.reply_to_invocation_id': 'none: what was told in an inbox stays there',
  'comment_mentions.team_id': 'team.team_uuid',
  'comment_mentions.comment_id': 'comment.mentioned',
  'comment_mentions.actor_id': 'comment.mentioned',
  'comment_reactions.team_id': 'team.team_uuid',
  'comment_reactions.comment_id': 'comment.reactions',
  'comment_reactions.actor_id': 'comment.reactions',
  'tasks.attachment_count': 'attachment.task',
  'attachments.attachment_id': 'none: its order is that of the attachments',
  'attachments.team_id': 'team.team_uuid',
  'attachments.task_id': 'attachment.task',
  'attachments.comment_id': 'attachment.comment',
  'decision_requests.decision_request_id': 'none: its order is that of the decisions',
  'decision_requests.team_id': 'team.team_uuid',
  'decision_requests.task_id': 'decision.task',
  'pull_requests.pull_request_id': 'none: its order is that of the addresses',
  'pull_requests.team_id': 'team.team_uuid',
  'pull_requests.task_id': 'pull_request.task',
  'evidence.evidence_id': 'none: its order is that of the evidence',
  'evidence.team_id': 'team.team_uuid',
  'evidence.task_id': 'evidence.task',
  'evidence.attachment_id': 'evidence.attachment',
  'escalations.escalation_id': 'none: its order is that of the escalations',
  'escalations.team_id': 'team.team_uuid',
  'escalations.task_id': 'escalation.task',
  'escalations.to_id': 'escalation.to',
  'tasks.page_count': 'page.task',
  'pages.page_id': 'page.public_id',
  'pages.team_id': 'team.team_uuid',
  'pages.task_id': 'page.task',
  'pages.parent_page_id': 'page.parent',
  'pages.length': 'page.content',
  'pages.chain_steps': 'none: counted anew from the versions',
  'pages.chain_size': 'none: counted anew from the versions',
  'page_pieces.team_id': 'team.team_uuid',
  'page_pieces.page_id': 'page.public_id',
  'page_pieces.place': 'page.content',
  'page_versions.version_id': 'none: its order is that of the versions',
  'page_versions.team_id': 'team.team_uuid',
  'page_versions.page_id': 'page_version.page',
  'page_versions.length': 'page_version.back',
  'page_versions.added': 'page_version.back',
  'page_versions.removed': 'page_version.back',
  'page_versions.whole': 'page_version.back',
  'page_versions.author_id': 'page_version.author',
  'reports.report_id': 'none: its order is that of the slugs',
  'reports.team_id': 'team.team_uuid',
  'reports.project_id': 'report.board',
  'skills.skill_id': 'none: its order is that of the slugs',
  'skills.team_id': 'team.team_uuid',
  'skills.project_id': 'skill.board',
  'skills.actor_id': 'skill.created_by',
  'task_assignees.open': 'task.completed_at',
  'task_templates.template_id': 'none: its order is that of the templates',
  'task_templates.team_id': 'team.team_uuid',
  'task_templates.project_id': 'template.board',
  'task_templates.label_ids': 'template.labels',
  'task_templates.subtask_count': 'template.subtasks',
  'time_entries.entry_id': 'none: its order is that of the entries',
  'time_entries.team_id': 'team.team_uuid',
  'time_entries.task_id': 'time_entry.task',
  'time_entries.actor_id': 'time_entry.who',
  'time_entries.running_since': 'none: a timer that is open ends with the export',
  'time_entries.paused_at': 'none: a timer that is open ends with the export',
  'my_views.my_view_id': 'my_view.view_id',
  'my_views.actor_id': 'my_view.owner',
  'my_views.project_ids': 'my_view.boards',
  'my_views.hidden_section_ids': 'my_view.hidden_sections',
  'my_views.board_filters': 'my_view.filters',
  'my_views.default_project_id': 'my_view.default_board',
  'description_versions.version_id': 'none: its order is that of the versions',
  'description_versions.team_id': 'team.team_uuid',
  'description_versions.task_id': 'version.task',
  'description_versions.author_id': 'version.author',
}

const RECORDS: Record<string, Record<string, unknown>[]> = {
  actors: [records.person.properties],
  people: [records.person.properties],
  teams: [records.team.properties],
  members: [records.person.properties],
  agents: [records.agent.properties],
  projects: [records.board.properties],
  project_members: [records.board.properties.members.items.properties],
  sections: [records.board.properties.sections.items.properties],
  labels: [records.board.properties.labels.items.properties],
  tasks: [records.task.properties],
  former_tickets: [],
  task_labels: [],
  task_assignees: [],
  description_versions: [records.version.properties],
  custom_fields: [records.board.properties.fields.items.properties],
  task_fields: [records.task.properties.fields.items.properties],
  relations: [records.relation.properties],
  comments: [records.comment.properties],
  comment_mentions: [],
  comment_reactions: [records.comment.properties.reactions.items.properties],
  attachments: [records.attachment.properties],
  decision_requests: [records.decision.properties],
  pull_requests: [records.pull_request.properties],
  evidence: [records.evidence.properties],
  escalations: [records.escalation.properties],
  reports: [records.report.properties],
  pages: [records.page.properties],
  page_pieces: [records.page.properties],
  page_versions: [records.page_version.properties],
  skills: [records.skill.properties],
  task_templates: [records.template.properties],
  time_entries: [records.time_entry.properties],
  my_views: [records.my_view.properties],
}

/** Columns of exported tables without a field in the file. */
const lost = (otherwise: Record<string, string>) =>
  inventory
    .filter(([, verdict]) => verdict === 'carried')
    .flatMap(([table]) =>
      Object.keys(getTableColumns(table))
        .filter((column) => !RECORDS[tableName(table)]!.some((record) => column in record))
        .map((column) => `${tableName(table)}.${column}`),
    )
    .filter((column) => !otherwise[column])

test('every column of an exported table has a field in the file or a reason why not', () => {
  const { 'tasks.parent_task_id': _, ...fewer } = OTHERWISE
  expect(lost(fewer)).toEqual(['tasks.parent_task_id'])
  expect(lost(OTHERWISE)).toEqual([])
  const places = new Set(
    Object.entries(records).flatMap(([kind, { properties }]) =>
      Object.keys(properties).map((field) => `${kind}.${field}`),
    ),
  )
  for (const place of Object.values(OTHERWISE))
    if (!place.startsWith('none: ')) expect(places).toContain(place)
})
