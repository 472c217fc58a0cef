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
    summary: 'Check that the process is running',
    tags,
    security,
    responses: { 200: { description: 'Running', content: state }, ...publicRefusals() },
  },
  readyz: {
    operationId: 'system.ready',
    summary: 'Check that requests can be served',
    tags,
    security,
    responses: {
      200: { description: 'Ready', content: state },
      ...publicRefusals(),
      503: { description: 'Not ready, with the reason', content: state },
    },
  },
  metrics: {
    operationId: 'system.metrics',
    summary: 'Metrics for Prometheus',
    description: 'Only from the same machine, or with a credential that has `teams:manage`.',
    tags,
    security: [{}, { bearer: [] }],
    responses: {
      200: { description: 'Metrics in the Prometheus text format', content: text },
      ...publicRefusals(401, 403),
    },
  },
  llms: {
    operationId: 'system.llms',
    summary: 'How to connect assistants and programs',
    tags,
    security,
    responses: { 200: { description: 'Instructions', content: text }, ...publicRefusals() },
  },
}
