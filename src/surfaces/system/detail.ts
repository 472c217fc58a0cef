import { publicRefusals } from '../openapi-parts.ts'

const text = { 'text/plain': { schema: { type: 'string' } } }
const state = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['status'],
      properties: { status: { type: 'string' }, reason: { type: 'string' } },
    },
  },
}
const tags = ['system']
const security: never[] = []

/** The descriptions of these routes in the OpenAPI document. */
export const describe = {
  healthz: {
    operationId: 'system.health',
    summary: 'Whether the process answers',
    tags,
    security,
    responses: { 200: { description: 'It does', content: state }, ...publicRefusals() },
  },
  readyz: {
    operationId: 'system.ready',
    summary: 'Whether requests can be served now',
    tags,
    security,
    responses: {
      200: { description: 'They can', content: state },
      ...publicRefusals(),
      503: { description: 'They cannot, and why', content: state },
    },
  },
  metrics: {
    operationId: 'system.metrics',
    summary: 'Figures for Prometheus',
    description: 'From the machine itself, or with a credential that has `teams:manage`.',
    tags,
    security: [{}, { bearer: [] }],
    responses: {
      200: { description: 'The exposition format of Prometheus', content: text },
      ...publicRefusals(401, 403),
    },
  },
  llms: {
    operationId: 'system.llms',
    summary: 'How assistants and programs connect',
    tags,
    security,
    responses: { 200: { description: 'Instructions', content: text }, ...publicRefusals() },
  },
}
