import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { SectionId } from '../../../boards/sections/model/index.ts'
import { Id, Timestamp } from '../../../identity/people/model/index.ts'
import { address, TaskId, TaskStatus } from '../../tasks/model/index.ts'
import { RELATION_TYPES } from './rules.ts'

export const RelationType = t.Union(
  RELATION_TYPES.map((type) => t.Literal(type)),
  { description: 'From the source: BlockedBy means the source waits for the target' },
)

/** The ways to address a task, for source and target. */
export const source = {
  source_task_id: address.task_id,
  source_ticket_number: address.ticket_number,
  source_unique_index: address.unique_index,
  source_project_id: address.project_id,
}
export const target = {
  target_task_id: address.task_id,
  target_ticket_number: address.ticket_number,
  target_unique_index: address.unique_index,
  target_project_id: address.project_id,
}
const Ends = t.Object({ ...source, ...target })
export type Ends = Static<typeof Ends>

const ends = {
  source_task_id: Id('Id of a task'),
  source_ticket_number: t.String(),
  target_task_id: Id('Id of a task'),
  target_ticket_number: t.String(),
}

export const RelationReceipt = t.Object({
  relation_id: Id('Id of a relation'),
  relation_type: RelationType,
  ...ends,
})
export type RelationReceipt = Static<typeof RelationReceipt>

export const Unlinked = t.Object({
  ...ends,
  removed: t.Array(RelationType, { description: 'Removed types, as seen from the source' }),
})

/** The other task of a relation and its type from the requested task's point of view. */
export const RelationRow = t.Object(
  {
    relation_id: Id('Id of a relation'),
    relation_type: RelationType,
    task_id: TaskId,
    ticket_number: t.String(),
    title: t.String(),
    project_id: ProjectId,
    section_id: SectionId,
    section: t.String({ description: 'Title of its column' }),
    done: t.Boolean({ description: 'Its column counts as done' }),
    status: TaskStatus,
    created_at: Timestamp,
  },
  {
    columns: ['relation_type', 'ticket_number', 'title', 'section', 'done', 'status'],
    omits: {
      relation_id: 'a relation is named by its two tasks',
      task_id: 'ticket_number names the task',
      project_id: 'ticket_number begins with the key of the board',
      section_id: 'section names the column',
    },
  },
)
export type RelationRow = Static<typeof RelationRow>

/** A relation of one of several tasks, with the other task. */
export type TaskRelation = Pick<
  RelationRow,
  'task_id' | 'relation_type' | 'ticket_number' | 'title'
>
