import { type Static, Type as t } from '@sinclair/typebox'
import { LabelRef } from '../../../boards/labels/model/index.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { SectionId } from '../../../boards/sections/model/index.ts'
import { Mentions } from '../../../conversation/mentions/model/index.ts'
import { Id, UserId } from '../../../identity/people/model/index.ts'
import { fieldInputs, orNull, When } from '../../fields/model/index.ts'
import { FileInputs } from '../../files/model/index.ts'
import { ContentType, TaskStatus } from '../../tasks/model/index.ts'

export const MAX_TASKS = 50
const MAX_TEXT = 1_048_576

const content = {
  description: t.Optional(t.String({ minLength: 1, maxLength: MAX_TEXT })),
  content_type: t.Optional({
    ...ContentType,
    description: 'Format of description; detected if omitted',
  }),
  mentions: t.Optional(Mentions),
  section_id: t.Optional(SectionId),
  parent_task_id: t.Optional(orNull(Id('Parent task'))),
  ...fieldInputs,
  due_date: t.Optional(orNull(When)),
  labels: t.Optional(
    t.Array(LabelRef, { maxItems: 100, description: 'Ids or names; replaces all labels' }),
  ),
  assignee_ids: t.Optional(
    t.Array(UserId, { maxItems: 100, description: 'User ids; replaces the people assigned' }),
  ),
  attachments: t.Optional(FileInputs),
}
const Title = t.String({ minLength: 1, maxLength: 500 })

export const draft = { title: Title, ...content }
export const Draft = t.Object(draft)
export type Draft = Static<typeof Draft>

export const revision = {
  title: t.Optional(Title),
  ...content,
  status: t.Optional(TaskStatus),
  if_version: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The description_version you read',
    }),
  ),
}
export const Revision = t.Object({ ...revision, project_id: t.Optional(ProjectId) })
export type Revision = Static<typeof Revision>
