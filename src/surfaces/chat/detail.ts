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
  'Server-sent events: `thread` names the thread and the numbers of the messages, `text` is more of',
  'what the model says, `call` is something that it does or would do, told again whenever its state',
  'changes, and `done` ends the answer with its reason. A call whose state is `waiting` is made once',
  'somebody says yes to it: `POST /api/chat/threads/{thread_id}/confirm`.',
].join(' ')

const routeDetail = (name: string, summary: string, description: string) => ({
  operationId: `chat.${name}`,
  summary,
  description: `${description} ${STREAM}`,
  tags: ['chat'],
  security: [{ bearer: [] }, { session: [] }],
  responses: {
    200: {
      description: 'The answer as it is given; a comment every 15 s keeps it open',
      content: { 'text/event-stream': { schema: EVENT } },
    },
    ...refusals(413, 415),
  },
})

const thread = {
  name: 'thread_id',
  in: 'path',
  required: true,
  description: 'Id of a thread of yours',
  schema: idSchema,
}

const allow_writes = {
  type: 'boolean',
  description: 'Changes are made without asking; what destroys is asked about all the same',
}

/** The descriptions of these routes in the OpenAPI document. */
export const details = {
  say: {
    ...routeDetail(
      'say',
      'Say something to the model, and hear its answer',
      'Begins a thread, or goes on with one. The model acts as you, with your rights.',
    ),
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description: 'The same key asks the model once, and streams the same answer',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      },
    ],
    requestBody: json(
      {
        message: {
          type: 'string',
          minLength: 1,
          maxLength: 20_000,
          description: 'What you say; /slug at its beginning calls a skill',
        },
        thread_id: { ...idSchema, description: 'Left out: a new thread' },
        project_id: { ...idSchema, description: 'The board that a new thread is about' },
        task: {
          anyOf: [idSchema, { type: 'string', pattern: '\\D', maxLength: 50 }],
          description: 'Id or key of the task that a new thread is about',
        },
        allow_writes,
      },
      ['message'],
    ),
  },
  confirm: {
    ...routeDetail(
      'confirm',
      'Say yes or no to a call that waits',
      'With a yes the call is made with the very input that was shown, as you.',
    ),
    parameters: [thread],
    requestBody: json(
      {
        tool_call_id: { type: 'string', minLength: 1, description: 'call_id of the call' },
        approve: { type: 'boolean', description: 'False says no to it' },
        allow_writes,
      },
      ['tool_call_id', 'approve'],
    ),
  },
  retry: {
    ...routeDetail(
      'retry',
      'Have the last answer given again',
      'What the last one changed stays changed, and the model is told of it.',
    ),
    parameters: [thread],
  },
  follow: {
    ...routeDetail(
      'follow',
      'The answer under way, from its beginning',
      'Where none is under way, nothing but `done` is told.',
    ),
    parameters: [thread],
  },
}
