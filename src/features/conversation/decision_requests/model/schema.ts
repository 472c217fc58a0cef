import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const DecisionRequestId = Id('Id of a decision request')
export const Question = t.String({ minLength: 1, maxLength: 2000, description: 'What to decide' })
export const Option = t.String({ minLength: 1, maxLength: 200 })
export const Options = t.Array(Option, {
  minItems: 2,
  maxItems: 20,
  description: '2 to 20 distinct answers to choose from',
})
export const Note = t.String({ minLength: 1, maxLength: 10_000 })
export const DecisionStatus = t.Union([
  t.Literal('pending'),
  t.Literal('answered'),
  t.Literal('cancelled'),
])

export const DecisionRequest = t.Object(
  {
    decision_request_id: DecisionRequestId,
    task_id: Id('Id of a task'),
    ticket_number: t.String(),
    project_id: ProjectId,
    question: t.String(),
    options: t.Array(t.String()),
    note: orNull(t.String()),
    asked: t.Array(Actor, { description: 'The people who were asked' }),
    status: DecisionStatus,
    selected_option: orNull(t.String()),
    answer_note: orNull(t.String()),
    created_by: Actor,
    created_at: Timestamp,
    closed_by: orNull(Actor),
    closed_at: orNull(Timestamp),
  },
  {
    columns: [
      'decision_request_id',
      'ticket_number',
      'question',
      'options',
      'note',
      'status',
      'selected_option',
      'answer_note',
    ],
    omits: {
      task_id: 'ticket_number names the task',
      project_id: 'ticket_number begins with the key of the board',
    },
  },
)
export type DecisionRequest = Static<typeof DecisionRequest>

export const DecisionReceipt = t.Object({
  decision_request_id: DecisionRequestId,
  ticket_number: t.String(),
  status: DecisionStatus,
  selected_option: orNull(t.String()),
})
