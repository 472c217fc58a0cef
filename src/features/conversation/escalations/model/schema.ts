import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const EscalationId = Id('Id of an escalation')
export const Reason = t.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'What needs attention, and why',
})
export const Note = t.String({ minLength: 1, maxLength: 10_000, description: 'What was done' })

export const EscalationRow = t.Object(
  {
    escalation_id: EscalationId,
    task_id: Id('Id of a task'),
    ticket_number: t.String(),
    reason: t.String(),
    to: Actor,
    state: t.Union([t.Literal('open'), t.Literal('resolved')]),
    note: orNull(t.String()),
    created_by: Actor,
    created_at: Timestamp,
    resolved_by: orNull(Actor),
    resolved_at: orNull(Timestamp),
  },
  {
    columns: [
      'escalation_id',
      'ticket_number',
      'reason',
      'to.name',
      'state',
      'note',
      'created_by.name',
      'created_at',
    ],
    omits: { task_id: 'ticket_number names the task' },
  },
)
export type EscalationRow = Static<typeof EscalationRow>
