import { publicRefusals } from '../openapi-parts.ts'

/** The description of the one route here that programs call, in the OpenAPI document. */
export const verify = {
  operationId: 'session.verify',
  summary: 'Get the user of this browser session',
  tags: ['session'],
  security: [{ session: [] }],
  responses: {
    200: {
      description: 'The session is valid',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['success', 'data'],
            properties: {
              success: { const: true },
              data: {
                type: 'object',
                required: ['user_id', 'expires_at'],
                properties: {
                  user_id: { type: 'integer' },
                  expires_at: { type: 'string', format: 'date-time' },
                },
              },
            },
          },
        },
      },
    },
    ...publicRefusals(401, 403, 503),
  },
}
