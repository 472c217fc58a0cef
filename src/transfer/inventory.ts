import type { PgTable } from 'drizzle-orm/pg-core'
import { agents } from '../features/agents/index.ts'
import { credentials, signingKeys } from '../features/credentials/index.ts'
import { customFields } from '../features/custom_fields/index.ts'
import { invitations } from '../features/invitations/index.ts'
import { labels } from '../features/labels/index.ts'
import { actors, people } from '../features/people/index.ts'
import { projectMembers, projects, projectUses } from '../features/projects/index.ts'
import { sections } from '../features/sections/index.ts'
import {
  descriptionVersions,
  formerTickets,
  relations,
  sectionCounts,
  taskAssignees,
  taskFields,
  taskLabels,
  tasks,
} from '../features/tasks/index.ts'
import { members, teams } from '../features/teams/index.ts'
import { answers, changes, followers, locks } from '../store/tables.ts'

const carried = 'carried'

/**
 * Every table, each after those it refers to. Beside it stands whether the export of a team carries
 * it, or why not.
 */
export const inventory: readonly (readonly [PgTable, string])[] = [
  [actors, carried],
  [people, carried],
  [teams, carried],
  [members, carried],
  [credentials, 'secrets stay on their server; new ones are made where the team goes'],
  [signingKeys, 'each server has its own'],
  [agents, carried],
  [projects, carried],
  [projectMembers, carried],
  [projectUses, 'gathered anew from what people do'],
  [sections, carried],
  [labels, carried],
  [customFields, carried],
  [tasks, carried],
  [formerTickets, carried],
  [sectionCounts, 'counted anew from the tasks'],
  [taskLabels, carried],
  [taskAssignees, carried],
  [descriptionVersions, carried],
  [relations, carried],
  [taskFields, carried],
  [invitations, 'their links lead to the server that made them'],
  [changes, 'names rows by the numbers they have on their server'],
  [followers, 'places in that change log'],
  [locks, 'what servers of one database take turns at'],
  [answers, 'kept for a day, for retries on their server'],
]

/** What a backup holds row by row. The signing key is in it too, as what it is. */
export const saved: readonly PgTable[] = inventory
  .map(([table]) => table)
  .filter((table) => table !== signingKeys)
