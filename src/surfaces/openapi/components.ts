import { MAX_KEY_LENGTH } from '../../kernel/idempotency.ts'
import { PageInfo } from '../../kernel/list.ts'

const refusal = (description: string, headers?: object) => ({
  description,
  ...(headers && { headers }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const seconds = (description: string) => ({ description, schema: { type: 'integer' } })

/** Components that many routes share. */
export const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key, MCP access token or agent token',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'cork_session',
      description: 'The signed cookie of a browser session; writes need the same origin',
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key and body within 24 hours return the first response again',
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
    },
    Position: {
      name: 'Cork-Position',
      in: 'header',
      required: false,
      description:
        'The same header of an earlier response, or `position` of an event: a replica of the database that has reached it may answer. Without replicas, responses lack it and requests need none',
      schema: { type: 'string' },
    },
  },
  schemas: {
    PageInfo: JSON.parse(JSON.stringify(PageInfo)),
    Warning: {
      type: 'object',
      required: ['field', 'code', 'message'],
      properties: {
        field: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string' },
      },
    },
    Problem: {
      type: 'object',
      required: ['success', 'error', 'message', 'details', 'request_id'],
      properties: {
        success: { type: 'boolean', const: false },
        error: { type: 'string', description: 'A short class, as in "Validation error"' },
        message: { type: 'string', description: 'What was wrong' },
        details: {
          type: 'object',
          properties: {
            field: { type: 'string' },
            code: { type: 'string', description: 'Why the field was rejected' },
            value: { description: 'The rejected value, if short' },
          },
        },
        hint: { type: 'string', description: 'What to do next' },
        request_id: { type: 'string' },
      },
    },
  },
  responses: {
    Invalid: refusal('The input is not valid; details name the field'),
    Unauthenticated: refusal('Missing or invalid credential', {
      'WWW-Authenticate': { description: 'Always "Bearer"', schema: { type: 'string' } },
    }),
    Forbidden: refusal('The caller may not do this'),
    NotFound: refusal('Not found, or not visible to the caller'),
    MethodNotAllowed: refusal(
      'The address does not support this method, or GET would change something',
      {
        Allow: { description: 'The methods to use', schema: { type: 'string' }, required: true },
      },
    ),
    Conflict: refusal('Version conflict, or a name that is taken'),
    TooLarge: refusal('The body is larger than 6 MB, or the file storage limit is reached'),
    UnsupportedType: refusal('The body is not JSON'),
    LeaseRequired: refusal('An agent needs a lease of the task: claim it, then send `lease_id`'),
    HeadersTooLarge: { description: 'The address and headers exceed 16 KB in total' },
    RateLimited: refusal('Too many requests in this minute', {
      'Retry-After': seconds('Seconds until the next request is served'),
    }),
    Unavailable: refusal('A service that this request needs does not respond; try again', {
      'Retry-After': seconds('Seconds to wait before retrying'),
    }),
    Internal: refusal('Internal error; report the request_id to the operator'),
  },
}
