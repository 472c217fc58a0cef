import { refusals } from '../openapi-parts.ts'

/** The description of this route in the OpenAPI document. */
export const detail = {
  operationId: 'pages.show_canvas',
  summary: 'The HTML canvas of a page, for a browser to show',
  description:
    'Its scripts run in a sandbox: without an origin, cookies or a network. Needs the scope `pages:read`.',
  tags: ['pages'],
  security: [{ bearer: [] }, { session: [] }],
  parameters: [
    {
      name: 'page_id',
      in: 'path',
      required: true,
      description: 'Number or public_id of a page',
      schema: { type: 'string', maxLength: 40 },
    },
  ],
  responses: {
    200: {
      description: 'A page around it',
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    ...refusals(),
  },
}
