import { MAX_KEY_LENGTH } from '../../kernel/idempotency.ts'
import { PageInfo } from '../../kernel/list.ts'

const refusal = (description: string, headers?: object) => ({
  description,
  ...(headers && { headers }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

const seconds = (description: string) => ({ description, schema: { type: 'integer' } })

/** Components that many routes share. */
export const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key, an MCP access token or the token of an agent',
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
      description: 'The same key and body within 24 hours give the first answer again',
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
    },
  },
  schemas: {
    Page: JSON.parse(JSON.stringify(PageInfo)),
    Warning: {
      type: 'object',
      required: ['field', 'code', 'message'],
      properties: {
        field: { type: 'string' },
        code: { type: 'string' },
        message: { type: 'string' },
      },
    },
    Refusal: {
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
            code: { type: 'string', description: 'Why the field was refused' },
            value: { description: 'The refused value, where it is short' },
          },
        },
        hint: { type: 'string', description: 'What to do next' },
        request_id: { type: 'string' },
      },
    },
  },
  responses: {
    Invalid: refusal('The input is not valid; details name the field'),
    Unauthenticated: refusal('No credential, or one that is no good', {
      'WWW-Authenticate': { description: 'Always "Bearer"', schema: { type: 'string' } },
    }),
    Forbidden: refusal('A known caller who may not do this'),
    NotFound: refusal('Nothing there that the caller can see'),
    MethodNotAllowed: refusal('This address has other methods, or GET would change something', {
      Allow: { description: 'The methods to use', schema: { type: 'string' }, required: true },
    }),
    Conflict: refusal('Another version, or a name that is taken'),
    TooLarge: refusal('The body is larger than 6 MB, or there is no room for more files'),
    UnsupportedType: refusal('The body is not JSON'),
    LeaseRequired: refusal('An agent needs a lease of the task: claim it, then send `lease_id`'),
    HeadersTooLarge: { description: 'The address and the headers are longer than 16 KB together' },
    RateLimited: refusal('Too many requests in this minute', {
      'Retry-After': seconds('Seconds until the next request is served'),
    }),
    Unavailable: refusal('What this asks does not answer just now; ask again', {
      'Retry-After': seconds('Seconds to wait before'),
    }),
    Internal: refusal('Something broke here; tell the operator the request_id'),
  },
}
