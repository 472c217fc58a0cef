const NAMES = {
  400: 'Invalid',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedType',
  428: 'LeaseRequired',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'Internal',
  503: 'Unavailable',
} as const
type Status = keyof typeof NAMES

/** Every address answers these, whatever is asked of it. */
const ANYWHERE: Status[] = [400, 405, 429, 431, 500]
/** Added where a caller and what they may see is looked up. */
const SECURED: Status[] = [401, 403, 404, 409, 503]

const refer = (statuses: readonly Status[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${NAMES[status]}` }]),
  )

/** Refusals in the OpenAPI document, by reference to the shared ones. */
export const publicRefusals = (...more: Status[]) => refer([...ANYWHERE, ...more])
export const refusals = (...more: Status[]) => refer([...ANYWHERE, ...SECURED, ...more])

/** A task in a path. */
export const TASK = {
  name: 'task',
  in: 'path',
  required: true,
  description: 'The id of a task, or its key as in LOGO-12',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      { type: 'string', pattern: '\\D', maxLength: 50 },
    ],
  },
}

/** One event of a stream: OpenAPI before 3.2 has no place of its own for it. */
export const EVENT = {
  type: 'object',
  required: ['data'],
  properties: {
    id: { type: 'string' },
    event: { type: 'string' },
    data: { type: 'string', description: 'JSON' },
  },
}
