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

/** The error statuses that every route can answer. */
const COMMON: Status[] = [400, 405, 429, 431, 500]
/** Further error statuses of routes that look up a caller and what they may see. */
const AUTHENTICATED: Status[] = [401, 403, 404, 409, 503]

const references = (statuses: readonly Status[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${NAMES[status]}` }]),
  )

/** The error responses of a route, as references to the shared ones of the OpenAPI document. */
export const publicRefusals = (...extra: Status[]) => references([...COMMON, ...extra])
export const refusals = (...extra: Status[]) => references([...COMMON, ...AUTHENTICATED, ...extra])

/** The path parameter that names a task. */
export const TASK = {
  name: 'task',
  in: 'path',
  required: true,
  description: 'The id of a task, or its key as in LOGO-12',
  schema: { type: 'string', pattern: '^[1-9]\\d{0,8}$|\\D', maxLength: 50 },
}

/** An event of a stream. OpenAPI before 3.2 cannot describe event streams. */
export const EVENT = {
  type: 'object',
  required: ['data'],
  properties: {
    id: { type: 'string' },
    event: { type: 'string' },
    data: { type: 'string', description: 'JSON' },
  },
}
