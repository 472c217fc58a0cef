import { EVENT, refusals } from '../openapi-parts.ts'

const idSchema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 }
const json = (properties: object, required: string[]) => ({
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', properties, required, additionalProperties: false },
    },
  },
})

const STREAM = [
  'Server-sent events: `thread` has the ids of the thread and its messages, `text` the next part of',
  'the answer, `call` a tool call, which is sent again whenever its state changes, and `done` ends',
  'the answer with its reason. A call in state `waiting` runs once it is approved:',
  '`POST /api/chat/threads/{thread_id}/confirm`.',
].join(' ')

const routeDetail = (name: string, summary: string, description: string) => ({
  operationId: `chat.${name}`,
  summary,
  description: `${description} ${STREAM}`,
  tags: ['chat'],
  security: [{ bearer: [] }, { session: [] }],
  responses: {
    200: {
      description: 'The answer as a stream; a comment every 15 s keeps the connection open',
      content: { 'text/event-stream': { schema: EVENT } },
    },
    ...refusals(413, 415),
  },
})

const thread = {
  name: 'thread_id',
  in: 'path',
  required: true,
  description: 'Id of one of your threads',
  schema: idSchema,
}

const allow_writes = {
  type: 'boolean',
  description: 'Make changes without asking; destructive changes still need approval',
}

/** The descriptions of these routes in the OpenAPI document. */
export const details = {
  say: {
    ...routeDetail(
      'say',
      'Send a message to the model and stream its answer',
      'Starts a thread or continues one. The model acts as you, with your permissions.',
    ),
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'Requests with the same key ask the model once and stream the same answer',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      },
    ],
    requestBody: json(
      {
        message: {
          type: 'string',
          minLength: 1,
          maxLength: 20_000,
          description: 'Your message; start it with /slug to call a skill',
        },
        thread_id: { ...idSchema, description: 'Starts a new thread if omitted' },
        project_id: { ...idSchema, description: 'Board of a new thread' },
        task: {
          anyOf: [idSchema, { type: 'string', pattern: '\\D', maxLength: 50 }],
          description: 'Id or key of the task of a new thread',
        },
        allow_writes,
      },
      ['message'],
    ),
  },
  confirm: {
    ...routeDetail(
      'confirm',
      'Approve or decline a waiting call',
      'An approved call runs as you, with exactly the input that was shown.',
    ),
    parameters: [thread],
    requestBody: json(
      {
        tool_call_id: { type: 'string', minLength: 1, description: 'call_id of the call' },
        approve: { type: 'boolean', description: 'False declines the call' },
        allow_writes,
      },
      ['tool_call_id', 'approve'],
    ),
  },
  retry: {
    ...routeDetail(
      'retry',
      'Regenerate the last answer',
      'Changes made by the last answer are kept, and the model is informed of them.',
    ),
    parameters: [thread],
  },
  follow: {
    ...routeDetail(
      'follow',
      'Stream the running answer from its beginning',
      'If no answer is running, only `done` is sent.',
    ),
    parameters: [thread],
  },
}
