import * as agents from './features/agents/index.ts'
import * as boards from './features/boards/index.ts'
import * as credentials from './features/credentials/index.ts'
import * as invitations from './features/invitations/index.ts'
import * as labels from './features/labels/index.ts'
import * as members from './features/members/index.ts'
import * as profile from './features/profile/index.ts'
import * as projects from './features/projects/index.ts'
import * as sections from './features/sections/index.ts'
import * as tasks from './features/tasks/index.ts'
import * as teams from './features/teams/index.ts'
import type { AnyOperation, Client as ClientOf } from './kernel/operation.ts'

/** Every operation there is, in the order that lists and documents show them. */
export const catalog = [
  ...projects.operations,
  ...boards.operations,
  ...members.operations,
  ...profile.operations,
  ...tasks.operations,
  ...sections.operations,
  ...labels.operations,
  ...teams.operations,
  ...invitations.operations,
  ...agents.operations,
  ...credentials.operations,
] as const satisfies readonly AnyOperation[]

export type Client = ClientOf<typeof catalog>
