import { EVENT, refusals } from '../openapi-parts.ts'

/** At most 15 digits, so that every JSON parser keeps the number exact. */
const maximum = 999_999_999_999_999
const integer = { type: 'integer', minimum: 0, maximum }

/** The description of the stream in the OpenAPI document. */
export const detail = {
  operationId: 'events.stream',
  summary: 'Changes as they happen',
  description: [
    'Server-sent events: `id` is the position in the change log, `event` the type, `data` the change',
    'as JSON. Only changes that the caller may see are sent, and access is checked continuously.',
    'Changes of a task have its `task_id`. A task that moves to another board is reported there, and',
    'as `task.left` on its old board. A client that falls far behind is disconnected and resumes from the last id it saw.',
    'If reads may go to replicas of the database, each event has a `position` that includes the change.',
  ].join(' '),
  tags: ['events'],
  security: [{ bearer: [] }, { session: [] }],
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'Resume after this change; if omitted, the stream starts with new changes',
      schema: integer,
    },
    {
      name: 'last_event_id',
      in: 'query',
      required: false,
      description: 'The same, for clients that cannot set headers',
      schema: integer,
    },
    {
      name: 'project_id',
      in: 'query',
      required: false,
      description: 'Only changes on this board',
      schema: { ...integer, minimum: 1 },
    },
    {
      name: 'signals',
      in: 'query',
      required: false,
      description: 'Also who is present, and texts being typed; these have no id',
      schema: { type: 'boolean' },
    },
  ],
  responses: {
    200: {
      description: 'The stream; a comment every 15 s keeps the connection open',
      content: { 'text/event-stream': { schema: EVENT } },
    },
    ...refusals(),
  },
}
