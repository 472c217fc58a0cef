import { type Static, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Id } from '../../../identity/people/model/index.ts'
import { STATUSES } from '../../states/model/index.ts'

export const TaskId = Id('Id of a task')
export const TicketNumber = t.String({
  minLength: 1,
  // The address of a task on this server is accepted as well.
  maxLength: 300,
  description: 'Ticket key, such as WEB-12',
})
const UniqueIndex = Id('Ticket number within a board; needs project_id')
export const TaskStatus = t.Union(STATUSES.map((status) => t.Literal(status)))
export const ContentType = t.Union([t.Literal('html'), t.Literal('markdown')])

/** The ways to name one task. */
export const address = {
  task_id: t.Optional(TaskId),
  ticket_number: t.Optional(TicketNumber),
  unique_index: t.Optional(UniqueIndex),
  project_id: t.Optional(ProjectId),
}
export type Address = Static<ReturnType<typeof t.Object<typeof address>>>
